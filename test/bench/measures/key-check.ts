import { AccountsModule, ACCOUNTS_MIGRATIONS, ACCOUNTS_ROLE } from '@heddle/accounts';
import { ACCOUNTS_PORT, KEY_CHECK, Secret } from '@heddle/contracts-messages';
import type { AccountsPort, KeyCheck } from '@heddle/contracts-messages';
import { NestFactory } from '@nestjs/core';
import { benchDatabase } from '../bench-database.ts';
import type { Sample } from '../rows.ts';
import type { BenchServers } from '../servers.ts';

const CHECKS = 20_000;
const TURNS = 10;
const PEPPER = new Secret('a pepper of thirty-two characters');

/** Row M6: one key, believed from memory. The best of several turns: what the check itself takes. */
export async function measureKeyCheck({ floorDatabase }: BenchServers): Promise<Sample> {
  const { database, drop } = await benchDatabase(floorDatabase.url, ACCOUNTS_MIGRATIONS, ACCOUNTS_ROLE);
  const module = AccountsModule.register({ database, pepper: PEPPER, settings: { keyCacheMs: 3_600_000 } });
  const app = await NestFactory.createApplicationContext(module, { logger: false });
  try {
    const wanted = { account: 'bench', name: null, scopes: [], expiresInS: null };
    const made = await app.get<AccountsPort>(ACCOUNTS_PORT).createKey(wanted);
    if (!made.ok) throw new Error(made.rejection.message);
    const keys = app.get<KeyCheck>(KEY_CHECK);
    const key = made.value.key.reveal();
    await keys.check(key);
    const turns = Array.from({ length: TURNS }, () => microsOf(() => void keys.check(key)));
    return { 'key-check.us': Math.min(...turns) };
  } finally {
    await app.close();
    await drop();
  }
}

function microsOf(check: () => void): number {
  const before = performance.now();
  for (let run = 0; run < CHECKS; run++) check();
  return ((performance.now() - before) / CHECKS) * 1_000;
}
