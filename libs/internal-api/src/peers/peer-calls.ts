import type { HeldCredentials, JobId, PartnerCredentials, PeerHints, PeersPort } from '@heddle/contracts-messages';

/** The calls of other replicas. A call that this replica sent to itself, through a shared address, is not passed on. */
export class PeerCalls {
  /** `name`: of this replica among its peers, for example a UUID made at start. RemotePeers sends the same name. */
  constructor(
    private readonly peers: PeersPort,
    private readonly name: string,
  ) {}

  async hint(from: string, hints: PeerHints): Promise<void> {
    if (from !== this.name) await this.peers.hint(hints);
  }

  async takeCredentials(from: string, jobId: JobId): Promise<PartnerCredentials | null> {
    return from === this.name ? null : await this.peers.takeCredentials(jobId);
  }

  /** False: the credentials came back to the replica that gives them away. */
  async keepCredentials(from: string, held: readonly HeldCredentials[]): Promise<boolean> {
    if (from === this.name) return false;
    await this.peers.keepCredentials(held);
    return true;
  }
}
