import { NODE_PACKAGES_PORT } from '@heddle/contracts-messages';
import type { NodePackagesPort } from '@heddle/contracts-messages';
import { GrpcController, MalformedCallError } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
import { NodePackagesServiceService } from '../generated/heddle/registry/v1/node_packages.js';
import type { FindRequest, FindResponse } from '../generated/heddle/registry/v1/node_packages.js';
import { VALIDATION } from '../internal-calls.js';

const MAX_CLASSES = 100;

/** Serves NodePackagesPort over gRPC. */
@GrpcController(NodePackagesServiceService)
export class NodePackagesController implements Serving<typeof NodePackagesServiceService> {
  constructor(@Inject(NODE_PACKAGES_PORT) private readonly packages: NodePackagesPort) {}

  async find({ classes }: FindRequest): Promise<FindResponse> {
    if (classes.length > MAX_CLASSES) throw new MalformedCallError(`the call names more than ${MAX_CLASSES} classes`);
    const found = await this.packages.packagesOf(classes);
    return { packages: [...found].map(([name, { nodeId, version }]) => ({ class: name, nodeId, version })) };
  }
}

export const NODE_PACKAGES_CALLS = {
  definition: NodePackagesServiceService,
  rules: { find: { openTo: VALIDATION } },
  controller: NodePackagesController,
} satisfies Omit<ServedContext, 'providers'>;

/** The calls of the validation service about packages of nodes. */
export function servedNodePackages(packages: NodePackagesPort): ServedContext {
  return { ...NODE_PACKAGES_CALLS, providers: [{ provide: NODE_PACKAGES_PORT, useValue: packages }] };
}
