import type { FactoryProvider } from '@nestjs/common';
import { PEERS_PORT } from '@heddle/contracts-messages';
import type { PeersPort } from '@heddle/contracts-messages';
import { LogReader, Sequencer } from '@heddle/platform-event-log';
import { CredentialVault } from './lease-job/credential-vault.js';
import { LeaseDispatcher } from './lease-job/lease-dispatcher.js';
import { LeaseWatch } from './lease-job/lease-watch.js';

type Told = [
  dispatcher: LeaseDispatcher,
  watch: LeaseWatch,
  vault: CredentialVault,
  sequencer: Sequencer,
  relay: LogReader,
];

/** Calls and notifications from other replicas. */
export const peersPort: FactoryProvider<PeersPort> = {
  provide: PEERS_PORT,
  inject: [LeaseDispatcher, LeaseWatch, CredentialVault, Sequencer, LogReader],
  useFactory: (...[dispatcher, watch, vault, sequencer, relay]: Told): PeersPort => ({
    hint: async ({ work, states, ended, commits, sequenced }) => {
      dispatcher.onWork(work);
      for (const { workerId, state } of states) watch.tell(workerId, state);
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
