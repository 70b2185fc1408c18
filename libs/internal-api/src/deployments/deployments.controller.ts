import { DEPLOYMENT_FEED, DEPLOYMENTS_PORT, MAX_FEED_WAIT_MS } from '@heddle/contracts-messages';
import type { AccountId, DeploymentFeed, DeploymentsPort } from '@heddle/contracts-messages';
import { GrpcController, MalformedCallError } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
import { idOf } from '../encode-values/call-values.js';
import { DeploymentsServiceService } from '../generated/heddle/deployments/v1/deployments.js';
import type {
  ChangeRequest,
  ChangeResponse,
  ChangesRequest,
  ChangesResponse,
  CreateRequest,
  CreateResponse,
  IdOfRequest,
  IdOfResponse,
  ListResponse,
  RepinRequest,
  RepinResponse,
  SetRequest,
  SetResponse,
  ShowRequest,
  ShowResponse,
} from '../generated/heddle/deployments/v1/deployments.js';
import { GATEWAYS } from '../internal-calls.js';
import { answerMessage, entryMessage, viewMessage } from './deployments-wire.js';
import { optionsOf } from './options-wire.js';
import { environmentIn, nameIn, providerIn, verbIn } from './read-call.js';

/** Serves DeploymentsPort and DeploymentFeed over gRPC. */
@GrpcController(DeploymentsServiceService)
class DeploymentsController implements Serving<typeof DeploymentsServiceService> {
  constructor(
    @Inject(DEPLOYMENTS_PORT) private readonly deployments: DeploymentsPort,
    @Inject(DEPLOYMENT_FEED) private readonly feed: DeploymentFeed,
  ) {}

  async create({ name, accountId, provider, environment, options }: CreateRequest): Promise<CreateResponse> {
    const deployment = {
      ...nameIn(name),
      accountId: accountId === undefined ? null : idOf<AccountId>(accountId, 'account'),
      provider: providerIn(provider),
      environment: environmentIn(environment),
      options: optionsOf(options),
    };
    return answerMessage(await this.deployments.create(deployment));
  }

  async list(): Promise<ListResponse> {
    return { deployments: (await this.deployments.list()).map(viewMessage) };
  }

  async show({ name }: ShowRequest): Promise<ShowResponse> {
    return answerMessage(await this.deployments.show(nameIn(name)));
  }

  async set({ name, options }: SetRequest): Promise<SetResponse> {
    return answerMessage(await this.deployments.set(nameIn(name), optionsOf(options)));
  }

  async repin({ name, environment }: RepinRequest): Promise<RepinResponse> {
    return answerMessage(await this.deployments.repin(nameIn(name), environmentIn(environment)));
  }

  async change({ name, verb }: ChangeRequest): Promise<ChangeResponse> {
    return answerMessage(await this.deployments[verbIn(verb)](nameIn(name)));
  }

  async idOf({ name }: IdOfRequest): Promise<IdOfResponse> {
    return { deploymentId: (await this.deployments.idOf(nameIn(name))) ?? undefined };
  }

  async changes({ after, waitMs }: ChangesRequest): Promise<ChangesResponse> {
    if (waitMs > MAX_FEED_WAIT_MS) throw new MalformedCallError(`wait_ms must be at most ${MAX_FEED_WAIT_MS}`);
    const { entries, next } = await this.feed.changes(after ?? null, waitMs);
    return { entries: entries.map(entryMessage), next };
  }
}

export const DEPLOYMENTS_CALLS = {
  definition: DeploymentsServiceService,
  rules: {
    create: { openTo: GATEWAYS, maxBytes: 'body' },
    list: { openTo: GATEWAYS },
    show: { openTo: GATEWAYS },
    set: { openTo: GATEWAYS },
    repin: { openTo: GATEWAYS, maxBytes: 'body' },
    change: { openTo: GATEWAYS },
    idOf: { openTo: GATEWAYS },
    changes: { openTo: GATEWAYS },
  },
  controller: DeploymentsController,
} satisfies Omit<ServedContext, 'providers'>;

/** The calls of operators, and what gateways follow. */
export function servedDeployments({
  deployments,
  feed,
}: {
  readonly deployments: DeploymentsPort;
  readonly feed: DeploymentFeed;
}): ServedContext {
  const providers = [
    { provide: DEPLOYMENTS_PORT, useValue: deployments },
    { provide: DEPLOYMENT_FEED, useValue: feed },
  ];
  return { ...DEPLOYMENTS_CALLS, providers };
}
