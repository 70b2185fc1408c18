import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ACCOUNTS_PORT, KEY_CHECK, Secret } from '@heddle/contracts-messages';
import type { AccountsPort, Answer, KeyCheck, KeyRequest } from '@heddle/contracts-messages';
import type { Database } from '@heddle/platform-database';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll } from 'vitest';
import { ACCOUNTS_MIGRATIONS } from './accounts-schema/accounts-migrations.js';
import { AccountsModule } from './accounts.module.js';
import { KeyUse } from './note-key-use/key-use.js';
import { MakeFirstKeyHandler } from './make-first-key/make-first-key.handler.js';
import type { AccountsSettings } from './settings.js';

export const PEPPER = new Secret('a pepper of thirty-two characters');

/** An account's limits where nothing is set. */
export const NO_LIMITS = {
  queueDepth: null,
  running: null,
  streams: null,
  storageBytes: null,
  readRate: null,
  readBurst: null,
};
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The context on a database of its own, for the specs of a file. */
export function accountsForSpecs(): { readonly db: TestDatabase; readonly here: AccountsUnderTest } {
  const opened: { db?: TestDatabase; here?: AccountsUnderTest } = {};
  beforeAll(async () => {
    opened.db = await freshDatabase({ migrations: [ACCOUNTS_MIGRATIONS] });
    opened.here = await openAccounts(opened.db.database);
  });
  afterAll(async () => {
    await opened.here?.close();
    await opened.db?.drop();
  });
  return {
    get db() {
      return opened.db!;
    },
    get here() {
      return opened.here!;
    },
  };
}

/** The context as one process has it. */
export interface AccountsUnderTest {
  readonly accounts: AccountsPort;
  readonly keys: KeyCheck;
  readonly use: KeyUse;
  readonly firstKey: MakeFirstKeyHandler;
  lookups(): Promise<number>;
  close(): Promise<void>;
}

export async function openAccounts(
  database: Pick<Database, 'pool'>,
  settings: Partial<AccountsSettings> = {},
): Promise<AccountsUnderTest> {
  const metrics = new MetricsRegistry();
  const module = AccountsModule.register({ database, pepper: PEPPER, settings, metrics });
  const app = await NestFactory.createApplicationContext(module, { logger: false });
  return {
    accounts: app.get<AccountsPort>(ACCOUNTS_PORT),
    keys: app.get<KeyCheck>(KEY_CHECK),
    use: app.get(KeyUse),
    firstKey: app.get(MakeFirstKeyHandler),
    lookups: async () => Number(/^heddle_key_lookups_total (\d+)$/m.exec(await metrics.metrics())?.[1]),
    close: async () => await app.close(),
  };
}

export function valueOf<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(`${answer.rejection.code}: ${answer.rejection.message}`);
  return answer.value;
}

export function codeOf(answer: Answer<unknown>): string {
  return answer.ok ? 'ok' : answer.rejection.code;
}

/** A key for all that an account may do. */
export function keyFor(account: string, changes: Partial<KeyRequest> = {}): KeyRequest {
  return { account, name: null, scopes: [], expiresInS: null, ...changes };
}
