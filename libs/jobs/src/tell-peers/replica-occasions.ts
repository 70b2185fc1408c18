import type { Pool } from 'pg';
import { endOrphanedLeases } from '../enforce-deadlines/end-orphaned-leases.js';
import type { JobsLog } from '../jobs-log.js';
import type { JobsOccasions } from '../jobs-runtime.js';
import type { CredentialVault } from '../lease-job/credential-vault.js';
import type { LeaseDispatcher } from '../lease-job/lease-dispatcher.js';
import type { Peers } from './peers.js';
import type { Replicas } from './replicas.js';

const LAST_WORD_MS = 1_000;

export interface OccasionOptions {
  readonly pool: Pool;
  readonly log: JobsLog;
  /** This process is the only one on its database. */
  readonly alone: boolean;
}

/** A replica comes and goes: it is in the table before it takes a job, and leaves nothing behind that another could have. */
export class ReplicaOccasions implements JobsOccasions {
  constructor(
    private readonly options: OccasionOptions,
    private readonly replicas: Replicas,
    private readonly peers: Peers,
    private readonly dispatcher: LeaseDispatcher,
    private readonly vault: CredentialVault,
  ) {}

  async prepare(): Promise<void> {
    await this.replicas.join();
    if (this.options.alone) await endOrphanedLeases(this.options.pool);
  }

  /** The credentials stay here too: who asks before it sees the new holder finds them as long as this process answers. */
  async drain(): Promise<void> {
    this.dispatcher.drain();
    if (this.peers.isAlone) return;
    const held = this.vault.all();
    if (!(await this.peers.leaveCredentials(held))) {
      this.options.log.noticed('no replica took the partner credentials of jobs that wait', { jobs: held.length });
    }
    await this.#orTold('the replica was not taken out of the table', this.replicas.leave());
  }

  /** The leases of sequencer and relay are free now: whoever looks first has them. */
  async sayGoodbye(): Promise<void> {
    if (this.peers.isAlone) return;
    this.peers.tellAll({ commits: true, sequenced: true });
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, LAST_WORD_MS).unref());
    await Promise.race([this.peers.told(), timeout]);
  }

  async #orTold(what: string, work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => this.options.log.failed(what, error));
  }
}
