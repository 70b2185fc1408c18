import { PEERS_PORT } from '@heddle/contracts-messages';
import type { JobId, PeersPort } from '@heddle/contracts-messages';
import { GrpcController } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
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
import { heldOf, hintsOf } from './peers-wire.js';

/** Name of this replica among its peers, for example a UUID made at start. RemotePeers sends the same name. */
const REPLICA_NAME = Symbol('ReplicaName');

/** Serves PeersPort over gRPC. Ignores calls that this replica sent to itself through a shared address. */
@GrpcController(PeersServiceService)
class PeersController implements Serving<typeof PeersServiceService> {
  constructor(
    @Inject(PEERS_PORT) private readonly peers: PeersPort,
    @Inject(REPLICA_NAME) private readonly name: string,
  ) {}

  async hint(request: HintRequest): Promise<HintResponse> {
    if (request.from !== this.name) await this.peers.hint(hintsOf(request));
    return {};
  }

  async takeCredentials({ from, jobId }: TakeCredentialsRequest): Promise<TakeCredentialsResponse> {
    if (from === this.name) return { credentials: undefined };
    return { credentials: credentialsMessage(await this.peers.takeCredentials(idOf<JobId>(jobId, 'job'))) };
  }

  async keepCredentials({ from, held }: KeepCredentialsRequest): Promise<KeepCredentialsResponse> {
    if (from === this.name) return { kept: false };
    await this.peers.keepCredentials(heldOf(held));
    return { kept: true };
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
  const providers = [
    { provide: PEERS_PORT, useValue: peers },
    { provide: REPLICA_NAME, useValue: instanceId },
  ];
  return { ...PEERS_CALLS, providers };
}
