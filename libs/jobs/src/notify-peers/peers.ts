import type {
  HeldCredentials,
  JobId,
  PartnerCredentials,
  PeerHints,
  PeersPort,
  WaitingJob,
} from '@heddle/contracts-messages';
import { MAX_HINTS } from '@heddle/contracts-messages';
import { PeerOutbox, withinPatience } from './peer-outbox.js';
import type { Counter } from 'prom-client';
import type { ReplicaTable } from './replicas.js';
import type { Replica } from './replicas.sql.js';

/** Connects to the internal port at an address. */
export type ConnectPeer = (address: string) => PeersPort;

/** `unknown`: a replica that may have them did not answer. */
export type CredentialSearch = PartnerCredentials | 'nobody' | 'unknown';

interface Line {
  readonly address: string;
  readonly peer: PeersPort;
  readonly outbox: PeerOutbox;
}

/** Notifies and queries the other replicas of the jobs service. Without peers it does nothing. */
export class Peers {
  readonly #lines = new Map<string, Line>();

  constructor(
    private readonly replicas: ReplicaTable,
    /** null: this process is the only one. */
    private readonly connect: ConnectPeer | null,
    private readonly hintsFailed: Counter<never>,
  ) {}

  /** True if there is no other replica. */
  get isAlone(): boolean {
    return this.connect === null || this.replicas.address === null;
  }

  /** Jobs that no worker of this replica takes. */
  announceWork(work: readonly WaitingJob[]): void {
    if (work.length > 0) this.notifyAll({ work });
  }

  notifyAll(hints: Partial<PeerHints>): void {
    for (const replica of this.replicas.peers) this.#line(replica)?.outbox.add(hints);
  }

  /** Notifies one replica, if it is known to be alive. */
  notify(replicaId: string, hints: Partial<PeerHints>): void {
    const replica = this.replicas.peers.find(({ id }) => id === replicaId);
    if (replica !== undefined) this.#line(replica)?.outbox.add(hints);
  }

  /** Resolves when all notifications were sent or dropped. */
  async sent(): Promise<void> {
    await Promise.all([...this.#lines.values()].map(async ({ outbox }) => await outbox.sent()));
  }

  /**
   * Asks every replica. The replica that accepted a submission was in the table before it, so the table is read again
   * before `nobody` is returned, which ends the job.
   */
  async findCredentials(jobId: JobId): Promise<CredentialSearch> {
    if (this.isAlone) return 'nobody';
    await this.replicas.look();
    const answers = await Promise.allSettled(
      this.replicas.peers.map(async (replica) => {
        const line = this.#line(replica);
        return line === null ? null : await withinPatience(line.peer.takeCredentials(jobId));
      }),
    );
    for (const answer of answers) if (answer.status === 'fulfilled' && answer.value !== null) return answer.value;
    return answers.some(({ status }) => status === 'rejected') ? 'unknown' : 'nobody';
  }

  /** Hands this replica's credentials to the first peer that accepts them; true if one did. */
  async leaveCredentials(held: readonly HeldCredentials[]): Promise<boolean> {
    for (const replica of held.length === 0 ? [] : this.replicas.peers) {
      const line = this.#line(replica);
      if (line === null) continue;
      try {
        for (let from = 0; from < held.length; from += MAX_HINTS) {
          await withinPatience(line.peer.keepCredentials(held.slice(from, from + MAX_HINTS)));
        }
        return true;
      } catch {
        // This peer may be stopping too: try the next one.
      }
    }
    return held.length === 0;
  }

  #line({ id, address }: Replica): Line | null {
    if (this.connect === null) return null;
    const known = this.#lines.get(id);
    if (known?.address === address) return known;
    for (const gone of this.#lines.keys()) {
      if (!this.replicas.peers.some((replica) => replica.id === gone)) this.#lines.delete(gone);
    }
    const peer = this.connect(address);
    const line = { address, peer, outbox: new PeerOutbox(peer, this.hintsFailed) };
    this.#lines.set(id, line);
    return line;
  }
}
