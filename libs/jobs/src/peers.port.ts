import type { HeldCredentials, JobId, PartnerCredentials, PeerHints, PeersPort } from '@heddle/contracts-messages';
import type { LogReader, Sequencer } from '@heddle/platform-event-log';
import type { CredentialVault } from './lease-job/credential-vault.js';
import type { LeaseDispatcher } from './lease-job/lease-dispatcher.js';
import type { LeaseWatch } from './lease-job/lease-watch.js';

/** What other replicas tell and ask this one. */
export class LocalPeers implements PeersPort {
  constructor(
    private readonly dispatcher: LeaseDispatcher,
    private readonly watch: LeaseWatch,
    private readonly vault: CredentialVault,
    private readonly sequencer: Sequencer,
    private readonly relay: LogReader,
  ) {}

  async hint({ work, states, ended, commits, sequenced }: PeerHints): Promise<void> {
    this.dispatcher.onWork(work);
    for (const { workerId, state } of states) this.watch.tell(workerId, state);
    for (const jobId of ended) this.vault.destroy(jobId);
    if (commits) this.sequencer.look();
    if (sequenced) this.relay.look();
    await Promise.resolve();
  }

  async takeCredentials(jobId: JobId): Promise<PartnerCredentials | null> {
    return await Promise.resolve(this.vault.get(jobId));
  }

  async keepCredentials(held: readonly HeldCredentials[]): Promise<void> {
    for (const { jobId, credentials } of held) this.vault.put(jobId, credentials);
    await Promise.resolve();
  }
}
