import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { JOB_LOG_PORT } from '@heddle/contracts-messages';
import type { JobLogPort } from '@heddle/contracts-messages';
import { isOutage } from '@heddle/platform-database';
import { JobFollower } from '@heddle/platform-message-bus/follow-log';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Session } from '../assets-database/assets-database.js';
import { AssetsSettings } from '../settings.js';
import { FollowJobsHandler } from './follow-jobs.handler.js';

/** Follows the log of jobs while the assets service runs. */
@Injectable()
export class AssetJobFollower implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly follower: JobFollower<Session>;

  constructor(
    @Inject(JOB_LOG_PORT) jobLog: JobLogPort,
    followJobs: FollowJobsHandler,
    private readonly settings: AssetsSettings,
    metrics: MetricsRegistry,
  ) {
    this.follower = new JobFollower({
      schema: 'assets',
      jobLog,
      transaction: async (work) => await followJobs.transaction(work),
      apply: async (session, messages) => await followJobs.apply(session, messages),
      isOutage,
      metrics,
      logger: new Logger(AssetJobFollower.name),
      patienceMs: settings.jobEventPatienceMs,
    });
  }

  onApplicationBootstrap(): void {
    if (this.settings.jobEventLookMs > 0) this.follower.start(this.settings.jobEventLookMs);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.follower.stop();
  }
}
