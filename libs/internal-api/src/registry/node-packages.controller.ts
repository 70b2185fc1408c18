import { MAX_ASKED_CLASSES, MAX_ENVIRONMENT_PACKAGES, NODE_PACKAGES_PORT } from '@heddle/contracts-messages';
import type { NodePackagesPort } from '@heddle/contracts-messages';
import { GrpcController, MalformedCallError } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
import { NodePackagesServiceService } from '../generated/heddle/registry/v1/node_packages.js';
import type {
  ClassesRequest,
  ClassesResponse,
  FindRequest,
  FindResponse,
  InstallableRequest,
  InstallableResponse,
} from '../generated/heddle/registry/v1/node_packages.js';
import { VALIDATION } from '../internal-calls.js';
import { classesMessage, versionMessage } from './package-classes-wire.js';

/** Serves NodePackagesPort over gRPC. */
@GrpcController(NodePackagesServiceService)
class NodePackagesController implements Serving<typeof NodePackagesServiceService> {
  constructor(@Inject(NODE_PACKAGES_PORT) private readonly packages: NodePackagesPort) {}

  async find({ classes }: FindRequest): Promise<FindResponse> {
    if (classes.length > MAX_ASKED_CLASSES)
      throw new MalformedCallError(`the call names more than ${MAX_ASKED_CLASSES} classes`);
    const found = await this.packages.packagesOf(classes);
    return { packages: [...found].map(([name, { nodeId, version }]) => ({ class: name, nodeId, version })) };
  }

  async installable({ packages }: InstallableRequest): Promise<InstallableResponse> {
    if (packages.length > MAX_ENVIRONMENT_PACKAGES)
      throw new MalformedCallError(`the call names more than ${MAX_ENVIRONMENT_PACKAGES} packages`);
    return { packages: (await this.packages.installable(packages)).map(versionMessage) };
  }

  async classes({ package: version }: ClassesRequest): Promise<ClassesResponse> {
    if (version === undefined) throw new MalformedCallError('the call names no package');
    const found = await this.packages.classesOf(version);
    return { found: found === null ? undefined : classesMessage(found) };
  }
}

export const NODE_PACKAGES_CALLS = {
  definition: NodePackagesServiceService,
  rules: {
    find: { openTo: VALIDATION },
    installable: { openTo: VALIDATION, maxBytes: 'body' },
    classes: { openTo: VALIDATION },
  },
  controller: NodePackagesController,
} satisfies Omit<ServedContext, 'providers'>;

/** The calls of the validation service about packages of nodes. */
export function servedNodePackages(packages: NodePackagesPort): ServedContext {
  return { ...NODE_PACKAGES_CALLS, providers: [{ provide: NODE_PACKAGES_PORT, useValue: packages }] };
}
