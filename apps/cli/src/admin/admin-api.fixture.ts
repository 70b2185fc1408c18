import 'reflect-metadata';
import { AccountsModule, ACCOUNTS_MIGRATIONS } from '@heddle/accounts';
import { readSettings, ServiceProcess } from '@heddle/composition';
import { portsOf, serveAdminApi } from '@heddle/composition/admin-api';
import { ACCOUNTS_PORT, KEY_CHECK, Secret } from '@heddle/contracts-messages';
import type { KeyCheck } from '@heddle/contracts-messages';
import { freshDatabase } from '@heddle/testing-database';
import { NestFactory } from '@nestjs/core';

const TOKEN = 'an-admin-token-of-a-test';

/** The admin API over a database of its own, on the operations port of a real process object. */
export interface AdminApi {
  /** Environment in which commands find it. */
  readonly env: Record<string, string>;
  readonly keys: KeyCheck;
  /** From now on no statement succeeds. */
  loseDatabase(): Promise<void>;
  close(): Promise<void>;
}

export async function startAdminApi(): Promise<AdminApi> {
  const db = await freshDatabase({ migrations: [ACCOUNTS_MIGRATIONS] });
  const service = new ServiceProcess('gateway', readSettings({ HEDDLE_PORT: '0', HEDDLE_LOG_LEVEL: 'error' }));
  const pepper = new Secret('a pepper of thirty-two characters');
  const accounts = AccountsModule.register({ database: db.database, pepper });
  const app = await NestFactory.createApplicationContext(accounts, { logger: false });
  await service.serveOps();
  await serveAdminApi(service, TOKEN, portsOf(app, [ACCOUNTS_PORT]));
  return {
    env: { HEDDLE_ADMIN_URL: new URL(service.healthUrl!).origin, HEDDLE_ADMIN_TOKEN: TOKEN },
    keys: app.get<KeyCheck>(KEY_CHECK),
    loseDatabase: async () => await db.database.close(),
    close: async () => {
      await service.stop();
      await app.close();
      await db.drop();
    },
  };
}
