import { Inject, Injectable } from '@nestjs/common';
import type { FactoryProvider, OnModuleInit } from '@nestjs/common';
import { JobsMetrics } from '../jobs-telemetry/jobs-metrics.js';
import { KnownJobs } from '../known-jobs/known-jobs.js';
import { CredentialVault } from '../lease-job/credential-vault.js';
import { LeaseDispatcher } from '../lease-job/lease-dispatcher.js';
import { LeaseNotifier } from '../lease-job/lease-notifier.js';
import { LiveJobs } from '../relay-job-events/live-jobs.js';
import { CommitNotifier } from '../notify-peers/commit-notifier.js';
import { TraceJobs } from '../jobs-telemetry/trace-jobs.js';
import { PoolMembers } from '../watch-pools/pool-members.js';
import { CommittedJobs } from './committed-job.js';
import type { CommittedJob } from './committed-job.js';
import { FailedJobLog } from './failed-job-log.js';

interface CommitSubscriber {
  onCommitted(committed: CommittedJob): void;
}

const COMMIT_SUBSCRIBERS = Symbol('CommitSubscribers');

/** In order of notification: the process's own memory first, other replicas last. */
export const commitSubscribers: FactoryProvider<readonly CommitSubscriber[]> = {
  provide: COMMIT_SUBSCRIBERS,
  inject: [
    KnownJobs,
    TraceJobs,
    LiveJobs,
    LeaseNotifier,
    LeaseDispatcher,
    CredentialVault,
    JobsMetrics,
    PoolMembers,
    FailedJobLog,
    CommitNotifier,
  ],
  useFactory: (...inOrder: CommitSubscriber[]) => inOrder,
};

/** Subscribes before the first request, so that committing code does not know its subscribers. */
@Injectable()
export class CommitSubscriptions implements OnModuleInit {
  constructor(
    private readonly committed: CommittedJobs,
    @Inject(COMMIT_SUBSCRIBERS) private readonly subscribers: readonly CommitSubscriber[],
  ) {}

  onModuleInit(): void {
    for (const one of this.subscribers) this.committed.subscribe((job) => one.onCommitted(job));
  }
}
