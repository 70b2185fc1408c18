import type { FactoryProvider } from '@nestjs/common';
import { PEERS_PORT } from '@heddle/contracts-messages';
import type { PeersPort } from '@heddle/contracts-messages';
import { LogReader, Sequencer } from '@heddle/platform-event-log';
import { CredentialVault } from '../lease-job/credential-vault.js';
import { LeaseDispatcher } from '../lease-job/lease-dispatcher.js';
import { LeaseNotifier } from '../lease-job/lease-notifier.js';

/** Calls and hints from other replicas. */
export const localPeers: FactoryProvider<PeersPort> = {
  provide: PEERS_PORT,
  inject: [LeaseDispatcher, LeaseNotifier, CredentialVault, Sequencer, LogReader],
  useFactory: (
    dispatcher: LeaseDispatcher,
    leases: LeaseNotifier,
    vault: CredentialVault,
    sequencer: Sequencer,
    relay: LogReader,
  ): PeersPort => ({
    hint: async ({ work, states, ended, commits, sequenced }) => {
      dispatcher.onWork(work);
      for (const { workerId, state } of states) leases.notify(workerId, state);
      for (const jobId of ended) vault.destroy(jobId);
      if (commits) sequencer.look();
      if (sequenced) relay.look();
      await Promise.resolve();
    },
    takeCredentials: async (jobId) => await Promise.resolve(vault.get(jobId)),
    keepCredentials: async (held) => {
      for (const { jobId, credentials } of held) vault.put(jobId, credentials);
      await Promise.resolve();
    },
  }),
};
