import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { LOGS_PORT, newUuid } from '@heddle/contracts-messages';
import type {
  AccountId,
  CapturedLog,
  CaptureVerdict,
  DeploymentId,
  JobId,
  LoggedAttempt,
  LogsPort,
  Principal,
} from '@heddle/contracts-messages';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import { MessageBusStrategy } from '@heddle/platform-message-bus/nest-transport';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { jobsServiceFake, LeaseAuthorityFake } from '@heddle/testing-jobs';
import { LogExpirer } from './expire-logs/log-expirer.js';
import { LogsModule } from './logs.module.js';
import { LOGS_MIGRATIONS } from './logs-schema/logs-migrations.js';

export const HOUR_MS = 3_600_000;

/** The service on a database of its own. */
export interface LogsUnderTest {
  readonly db: TestDatabase;
  readonly bus: MemoryMessageBus;
  readonly metrics: MetricsRegistry;
  readonly logs: LogsPort;
  readonly expirer: LogExpirer;
  /** Captures a log under a lease of its job, which the account holds. */
  readonly capture: (log: CapturedLog, owner: Principal, jobExpiresAt?: string) => Promise<CaptureVerdict>;
  readonly close: () => Promise<void>;
}

export async function openLogs(): Promise<LogsUnderTest> {
  const bus = new MemoryMessageBus();
  const metrics = new MetricsRegistry();
  const leases = new LeaseAuthorityFake();
  const db = await freshDatabase({ migrations: [LOGS_MIGRATIONS] });
  const module = LogsModule.register({
    database: db.database,
    metrics,
    imports: [jobsServiceFake(undefined, leases)],
  });
  const app = await NestFactory.createMicroservice(module, {
    strategy: new MessageBusStrategy(bus, 'logs'),
    logger: false,
  });
  await app.listen();
  const logs = app.get<LogsPort>(LOGS_PORT);
  return {
    db,
    bus,
    metrics,
    logs,
    expirer: app.get(LogExpirer),
    capture: async (log, owner, jobExpiresAt = inHours(24)) => {
      leases.lend(owner, log, jobExpiresAt);
      return await logs.capture(log);
    },
    close: async () => {
      await app.close();
      await bus.close();
      await db.drop();
    },
  };
}

export function captured(more: Partial<CapturedLog> = {}): CapturedLog {
  const jobId = newUuid() as JobId;
  return {
    jobId,
    fence: 1,
    workerId: 'worker-a',
    text: 'text',
    truncated: false,
    complete: true,
    endedAs: 'succeeded',
    ...more,
  };
}

export const ended = ({ jobId, fence, endedAs }: CapturedLog): LoggedAttempt => ({
  jobId,
  fence,
  endedAs: endedAs ?? 'succeeded',
});

export const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

export function somebody(): Principal {
  return { accountId: newUuid() as AccountId, deploymentId: newUuid() as DeploymentId };
}
