import { MAX_LIST_PART, REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { ListPart, RegistryAdminPort } from '@heddle/contracts-messages';
import { GrpcController, MalformedCallError } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
import { resultOf } from '../encode-values/call-answers.js';
import { rejectionMessage } from '../encode-values/rejections.js';
import { RegistryAdminServiceService } from '../generated/heddle/registry/v1/registry_admin.js';
import type {
  BanRequest,
  BanResponse,
  EventsRequest,
  EventsResponse,
  QueueRequest,
  QueueResponse,
  RedeliverRequest,
  RedeliverResponse,
  ReleaseRequest,
  ReleaseResponse,
  RescanRequest,
  RescanResponse,
  ReviewRequest,
  ReviewResponse,
  SetClassesRequest,
  SetClassesResponse,
  SetRanksRequest,
  SetRanksResponse,
  UnbanRequest,
  UnbanResponse,
} from '../generated/heddle/registry/v1/registry_admin.js';
import { GATEWAYS } from '../internal-calls.js';
import { classesOf, targetOf } from './registry-admin-requests.js';
import { entryMessage, eventMessage, ranksOf, verdictMessage } from './registry-admin-wire.js';

/** Serves RegistryAdminPort over gRPC. */
@GrpcController(RegistryAdminServiceService)
class RegistryAdminController implements Serving<typeof RegistryAdminServiceService> {
  constructor(@Inject(REGISTRY_ADMIN_PORT) private readonly registry: RegistryAdminPort) {}

  async ban({ target, reason }: BanRequest): Promise<BanResponse> {
    return resultOf('verdict', await this.registry.ban(targetOf(target), reason), verdictMessage);
  }

  async unban({ target, reason }: UnbanRequest): Promise<UnbanResponse> {
    return resultOf('verdict', await this.registry.unban(targetOf(target), reason), verdictMessage);
  }

  async review({ nodeId, version, status, reason }: ReviewRequest): Promise<ReviewResponse> {
    return resultOf('verdict', await this.registry.review({ nodeId, version }, status, reason), verdictMessage);
  }

  async rescan({ nodeId, version }: RescanRequest): Promise<RescanResponse> {
    return resultOf('verdict', await this.registry.rescan({ nodeId, version }), verdictMessage);
  }

  async setRanks(request: SetRanksRequest): Promise<SetRanksResponse> {
    return resultOf('verdict', await this.registry.setRanks(request.nodeId, ranksOf(request)), verdictMessage);
  }

  async release({ nodeId }: ReleaseRequest): Promise<ReleaseResponse> {
    return resultOf('verdict', await this.registry.release(nodeId), verdictMessage);
  }

  async queue(request: QueueRequest): Promise<QueueResponse> {
    const answer = await this.registry.queue(partOf(request));
    return resultOf('entries', answer, (entries) => ({ entries: entries.map(entryMessage) }));
  }

  async events({ nodeId, ...part }: EventsRequest): Promise<EventsResponse> {
    const answer = await this.registry.events(nodeId, partOf(part));
    return resultOf('events', answer, (events) => ({ events: events.map(eventMessage) }));
  }

  async setClasses(request: SetClassesRequest): Promise<SetClassesResponse> {
    const { nodeId, version } = request;
    const answer = await this.registry.setClasses({ nodeId, version }, classesOf(request));
    return { rejection: answer.ok ? undefined : rejectionMessage(answer.rejection) };
  }

  async redeliver({ taskId }: RedeliverRequest): Promise<RedeliverResponse> {
    return resultOf('task', await this.registry.redeliver(taskId), (task) => task);
  }
}

function partOf({ after, limit }: Pick<QueueRequest, 'after' | 'limit'>): ListPart {
  if (limit >= 1 && limit <= MAX_LIST_PART) return { after: after ?? null, limit };
  throw new MalformedCallError(`limit must be a whole number from 1 to ${MAX_LIST_PART}`);
}

export const REGISTRY_ADMIN_CALLS = {
  definition: RegistryAdminServiceService,
  rules: {
    ban: { openTo: GATEWAYS },
    unban: { openTo: GATEWAYS },
    review: { openTo: GATEWAYS },
    rescan: { openTo: GATEWAYS },
    setRanks: { openTo: GATEWAYS, maxBytes: 'body' },
    release: { openTo: GATEWAYS },
    queue: { openTo: GATEWAYS },
    events: { openTo: GATEWAYS },
    setClasses: { openTo: GATEWAYS, maxBytes: 'body' },
    redeliver: { openTo: GATEWAYS },
  },
  controller: RegistryAdminController,
} satisfies Omit<ServedContext, 'providers'>;

/** The calls of the admin API, which gateways serve, to the registry. */
export function servedRegistryAdmin(registry: RegistryAdminPort): ServedContext {
  return { ...REGISTRY_ADMIN_CALLS, providers: [{ provide: REGISTRY_ADMIN_PORT, useValue: registry }] };
}
