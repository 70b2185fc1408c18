import { Inject, Injectable } from '@nestjs/common';
import type { HeldCredentials, JobId, PartnerCredentials, PeerHints, PeersPort } from '@heddle/contracts-messages';
import { LogReader, Sequencer } from '@heddle/platform-event-log';
import { CredentialVault } from './lease-job/credential-vault.js';
import { LeaseDispatcher } from './lease-job/lease-dispatcher.js';
import { LeaseNotifier } from './lease-job/lease-notifier.js';

/** Calls and hints from other replicas. */
@Injectable()
export class LocalPeers implements PeersPort {
  @Inject() private readonly dispatcher!: LeaseDispatcher;
  @Inject() private readonly leases!: LeaseNotifier;
  @Inject() private readonly vault!: CredentialVault;
  @Inject() private readonly sequencer!: Sequencer;
  @Inject() private readonly relay!: LogReader;

  async hint({ work, states, ended, commits, sequenced }: PeerHints): Promise<void> {
    this.dispatcher.onWork(work);
    for (const { workerId, state } of states) this.leases.notify(workerId, state);
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
