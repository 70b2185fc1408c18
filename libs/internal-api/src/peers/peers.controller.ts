import type { JobId, PeersPort } from '@heddle/contracts-messages';
import { GrpcController } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { idOf } from '../encode-values/call-values.js';
import { credentialsMessage } from '../encode-values/credentials.js';
import { PeersServiceService } from '../generated/heddle/peers/v1/peers.js';
import type {
  HintRequest,
  HintResponse,
  KeepCredentialsRequest,
  KeepCredentialsResponse,
  TakeCredentialsRequest,
  TakeCredentialsResponse,
} from '../generated/heddle/peers/v1/peers.js';
import { JOBS } from '../internal-calls.js';
import { PeerCalls } from './peer-calls.js';
import { heldOf, hintsOf } from './peers-wire.js';

/** Serves PeersPort over gRPC. */
@GrpcController(PeersServiceService)
class PeersController implements Serving<typeof PeersServiceService> {
  constructor(private readonly calls: PeerCalls) {}

  async hint(request: HintRequest): Promise<HintResponse> {
    await this.calls.hint(request.from, hintsOf(request));
    return {};
  }

  async takeCredentials({ from, jobId }: TakeCredentialsRequest): Promise<TakeCredentialsResponse> {
    return { credentials: credentialsMessage(await this.calls.takeCredentials(from, idOf<JobId>(jobId, 'job'))) };
  }

  async keepCredentials({ from, held }: KeepCredentialsRequest): Promise<KeepCredentialsResponse> {
    return { kept: await this.calls.keepCredentials(from, heldOf(held)) };
  }
}

export const PEERS_CALLS = {
  definition: PeersServiceService,
  rules: {
    hint: { openTo: JOBS },
    takeCredentials: { openTo: JOBS },
    keepCredentials: { openTo: JOBS },
  },
  controller: PeersController,
} satisfies Omit<ServedContext, 'providers'>;

/** The calls of other replicas of the jobs service to the replica `instanceId`. */
export function servedPeers(peers: PeersPort, instanceId: string): ServedContext {
  return { ...PEERS_CALLS, providers: [{ provide: PeerCalls, useValue: new PeerCalls(peers, instanceId) }] };
}
