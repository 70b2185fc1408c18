import { Logger, Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { holderOfOwn, LEASE_AUTHORITY_PORT, LOGS_PORT } from '@heddle/contracts-messages';
import type { LeaseAuthorityPort, LogsPort } from '@heddle/contracts-messages';
import { SweepClock } from '@heddle/platform-database';
import type { Database } from '@heddle/platform-database';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { CaptureLogHandler } from './capture-log/capture-log.handler.js';
import { LogExpirer } from './expire-logs/log-expirer.js';
import { LogJobFollower } from './follow-jobs/log-job-follower.js';
import { LogJobMessagesController } from './follow-jobs/job-messages.controller.js';
import { LogsDatabase } from './logs-database.js';
import { LogsMetrics } from './logs-metrics.js';
import { LOGS_ROLE } from './logs-schema/logs-migrations.js';
import { ReadLogHandler } from './read-log/read-log.handler.js';

interface LogsModuleOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly metrics?: MetricsRegistry;
  /** Modules that provide JOB_LOG_PORT and LEASE_AUTHORITY_PORT. */
  readonly imports: readonly (Type<unknown> | DynamicModule)[];
}

const logsPort = {
  provide: LOGS_PORT,
  inject: [LEASE_AUTHORITY_PORT, CaptureLogHandler, ReadLogHandler],
  useFactory: (authority: LeaseAuthorityPort, capture: CaptureLogHandler, read: ReadLogHandler): LogsPort => ({
    capture: async (log) => await capture.handle(log, await holderOfOwn(authority, log)),
    read: (principal, ended) => read.handle(principal, ended),
  }),
};

const JUMPED = 'the clock of the database jumped: no log expires until it is right, or has stayed where it is';

/** Execution logs, deleted with their jobs. */
@Module({})
export class LogsModule {
  static register({ database, metrics = new MetricsRegistry(), imports }: LogsModuleOptions): DynamicModule {
    const pool = database.pool(LOGS_ROLE);
    const logger = new Logger(LogExpirer.name);
    const onJump = (offMs: number): void => logger.warn({ message: JUMPED, offMs });
    return {
      module: LogsModule,
      imports: [...imports],
      controllers: [LogJobMessagesController],
      providers: [
        { provide: LogsDatabase, useValue: new LogsDatabase(pool) },
        { provide: SweepClock, useValue: new SweepClock(pool, onJump) },
        { provide: LogsMetrics, useValue: new LogsMetrics(metrics) },
        { provide: MetricsRegistry, useValue: metrics },
        LogJobFollower,
        CaptureLogHandler,
        ReadLogHandler,
        LogExpirer,
        logsPort,
      ],
      exports: [LOGS_PORT],
    };
  }
}
