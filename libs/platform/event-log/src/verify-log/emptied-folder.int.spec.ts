import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase, type TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyLog } from '../index.js';
import { LOG_MIGRATIONS, ROLE, SCHEMA } from '../event-log.fixture.js';

let db: TestDatabase;
let folder: string;
beforeAll(async () => {
  db = await freshDatabase({ migrations: LOG_MIGRATIONS });
  folder = await mkdtemp(join(tmpdir(), 'heddle-checkpoints-'));
});
afterAll(async () => {
  await db.drop();
  await rm(folder, { recursive: true });
});

it('a folder without any file is a fault once a checkpoint was signed, and none before', async () => {
  const found = async (checkpoints: string | null): Promise<readonly string[]> =>
    (await verifyLog(db.pool(ROLE), SCHEMA, { checkpoints })).faults.map(({ message }) => message);
  const written = (seq: number, keyId: string): Promise<unknown> =>
    db.owner.query(`insert into log.checkpoint values ($1, $2, now(), $3, '')`, [seq, Buffer.alloc(32), keyId]);
  await written(3, '');
  expect(await found(folder)).not.toContainEqual(expect.stringContaining('holds no checkpoint'));
  await db.owner.query('delete from log.checkpoint');
  await written(3, 'a1b2');
  expect(await found(folder)).toContainEqual(
    expect.stringMatching(/holds no checkpoint and no key, .* of seq 3: it is another/),
  );
  expect(await found(null)).not.toContainEqual(expect.stringContaining('holds no checkpoint'));
});
