import { newUuid } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../jobs-under-test/open-jobs.fixture.js';
import { JOBS_ROLE } from './jobs-migrations.js';

const KINDS = { grant: 1, withdraw: -1, reserve: -1, settle: 0 } as const;
type Kind = keyof typeof KINDS;

describe('an entry of the ledger', () => {
  const id = newUuid();
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openDatabase();
  });
  afterAll(async () => {
    await db.drop();
  });

  /** As the role of the service. An earlier build names no task. */
  async function written(kind: Kind, job: string | null, task: string | null): Promise<string> {
    const charged = kind === 'settle' ? 0 : null;
    const text = `insert into jobs.ledger (account_id, at, kind, amount, balance, job_id, ${task === null ? '' : 'task_id, '}charged)
      values ($1, heddle.clock_now_ms(), $2, $3, 0, $4, ${task === null ? '' : '$6, '}$5)`;
    const values = [newUuid(), kind, KINDS[kind], job, charged, ...(task === null ? [] : [task])];
    try {
      await db.pool(JOBS_ROLE).query(text, values);
      return 'written';
    } catch (error) {
      return (error as { readonly constraint?: string }).constraint ?? String(error);
    }
  }

  it.each(['reserve', 'settle'] as const)('of the kind %s has a job or a task, each once', async (kind) => {
    expect(await written(kind, null, null)).toBe('ledger_row');
    expect(await written(kind, id, id)).toBe('ledger_row');
    expect(await written(kind, id, null)).toBe('written');
    expect(await written(kind, null, id)).toBe('written');
    expect(await written(kind, id, null)).toBe('ledger_job');
    expect(await written(kind, null, id)).toBe('ledger_task');
  });

  it.each(['grant', 'withdraw'] as const)('of the kind %s has neither', async (kind) => {
    expect(await written(kind, null, null)).toBe('written');
    expect(await written(kind, id, null)).toBe('ledger_row');
    expect(await written(kind, null, id)).toBe('ledger_row');
  });
});
