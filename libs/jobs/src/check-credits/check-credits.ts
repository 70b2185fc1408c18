import type { CreditCheck } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JobsSettings } from '../settings.js';
import { CheckCreditsHandler } from './check-credits.handler.js';

/** All parts of the check, in one. */
export async function checkCredits(pool: Pool, settings = new JobsSettings()): Promise<Omit<CreditCheck, 'next'>> {
  const check = new CheckCreditsHandler(pool, settings);
  const all = { accounts: 0, entries: 0, problems: [] as string[] };
  let from: string | null = null;
  do {
    const part = await check.handle(from);
    all.accounts += part.accounts;
    all.entries += part.entries;
    all.problems.push(...part.problems);
    from = part.next;
  } while (from !== null);
  return all;
}
