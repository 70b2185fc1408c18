import 'reflect-metadata';
import { LOGS_PORT } from '@heddle/contracts-messages';
import type { LeaseAuthorityPort, LogsPort } from '@heddle/contracts-messages';
import { LOGS_MIGRATIONS, LogsModule } from '@heddle/logs';
import { freshDatabase } from '@heddle/testing-database';
import { jobsServiceFake } from '@heddle/testing-jobs';
import { NestFactory } from '@nestjs/core';

/** The logs service with its own database */
export interface LogsUnderTest {
  readonly logs: LogsPort;
  close(): Promise<void>;
}

export async function openLogs(authority: LeaseAuthorityPort): Promise<LogsUnderTest> {
  const db = await freshDatabase({ migrations: [LOGS_MIGRATIONS] });
  const imports = [jobsServiceFake(undefined, authority)];
  const module = LogsModule.register({ database: db.database, imports });
  const context = await NestFactory.createApplicationContext(module, { logger: false });
  return {
    logs: context.get<LogsPort>(LOGS_PORT),
    close: async () => {
      await context.close();
      await db.drop();
    },
  };
}
