import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { JOB_LOG_PORT } from '@heddle/contracts-messages';
import type { JobLogPort } from '@heddle/contracts-messages';
import { isOutage } from '@heddle/platform-database';
import { JobFollower } from '@heddle/platform-message-bus/follow-log';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { LogsDatabase } from '../logs-database.js';
import { LOGS_SCHEMA } from '../logs-schema/logs-migrations.js';
import { DELETE_LOGS } from './follow-jobs.sql.js';

const TURN_INTERVAL_MS = 1_000;

/** Follows the log of jobs while the logs service runs: a captured log is removed with its job. */
@Injectable()
export class LogJobFollower implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly follower: JobFollower;

  constructor(database: LogsDatabase, @Inject(JOB_LOG_PORT) jobLog: JobLogPort, metrics: MetricsRegistry) {
    this.follower = new JobFollower({
      schema: LOGS_SCHEMA,
      jobLog,
      transaction: async (work) => await database.transaction(work),
      apply: async (session, messages) => {
        const purged = messages.filter(({ type }) => type === 'JobPurged').map(({ jobId }) => jobId);
        if (purged.length > 0) await session.query(DELETE_LOGS, [purged]);
      },
      isOutage,
      metrics,
      logger: new Logger(LogJobFollower.name),
    });
  }

  onApplicationBootstrap(): void {
    this.follower.start(TURN_INTERVAL_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.follower.stop();
  }
}
