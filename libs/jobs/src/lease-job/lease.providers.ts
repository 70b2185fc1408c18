import type { Provider } from '@nestjs/common';
import { WorkerLeases } from '../serve-workers/worker-leases.js';
import { JobsSettings } from '../settings.js';
import { TakeHeartbeatHandler } from '../take-heartbeat/take-heartbeat.handler.js';
import { AttemptStarts } from './attempt-starts.js';
import { CredentialVault } from './credential-vault.js';
import { FindCredentials } from './find-credentials.js';
import { GrantLease } from './grant-lease.js';
import { HandBackLeaseHandler } from './hand-back-lease.handler.js';
import { LeaseAtOnce } from './lease-at-once.js';
import { LeaseDelivery } from './lease-delivery.js';
import { LeaseDispatcher } from './lease-dispatcher.js';
import { LeaseNotifier } from './lease-notifier.js';
import { LeasedWorkflow } from './leased-workflow.js';
import { QueuePolls } from './queue-polls.js';
import { UnnamedLeases } from './unnamed-leases.js';

/** Gives jobs to workers and keeps their leases. */
export const LEASES: readonly Provider[] = [
  FindCredentials,
  LeasedWorkflow,
  GrantLease,
  LeaseDelivery,
  QueuePolls,
  LeaseDispatcher,
  LeaseAtOnce,
  TakeHeartbeatHandler,
  LeaseNotifier,
  AttemptStarts,
  HandBackLeaseHandler,
  UnnamedLeases,
  WorkerLeases,
  {
    provide: CredentialVault,
    inject: [JobsSettings],
    useFactory: ({ queueDepth }: JobsSettings) => new CredentialVault(queueDepth * 2),
  },
];
