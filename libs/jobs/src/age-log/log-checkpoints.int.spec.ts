import { BackgroundLogger } from '@heddle/platform-database';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newUuid } from '@heddle/contracts-messages';
import { CheckpointFolder } from '@heddle/platform-event-log';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { TestDatabase } from '@heddle/testing-database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  dropConsistent,
  openDatabase,
  openJobs,
  someAccount,
  submitted,
  until,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { AgeLog } from './age-log.js';
import { LogCheckpoints } from './log-checkpoints.js';

interface Written {
  readonly log_id: string;
  readonly seq: string;
  readonly chain: string;
  readonly recorded_at: string;
  readonly signature: string;
}

describe('checkpoints of the log', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  let folder: string;
  let checkpoints: LogCheckpoints;
  const said: string[] = [];
  beforeEach(async () => {
    db = await openDatabase();
    one = await openJobs(db, {});
    folder = await mkdtemp(join(tmpdir(), 'heddle-checkpoints-'));
    said.length = 0;
    checkpoints = opened();
    // Waits for the service's own first turn: the log is empty then and needs no checkpoint.
    await until(() => Promise.resolve(one.get<AgeLog>(AgeLog).counts.attached > 0), 'the first look of the service');
    await grown(3);
    await checkpoints.write();
  });
  afterEach(async () => {
    await one.close();
    await dropConsistent(db);
    await rm(folder, { recursive: true });
  });

  function opened(): LogCheckpoints {
    const logger = { warn: () => undefined, error: (_: unknown, text?: string) => said.push(text ?? '') };
    return new LogCheckpoints(
      db.pool('heddle_jobs'),
      new CheckpointFolder(folder),
      new BackgroundLogger(logger as never),
    );
  }
  async function grown(to: number): Promise<void> {
    const me = someAccount();
    const head = async (): Promise<number> =>
      Number((await db.owner.query<{ seq: string }>('select seq from jobs.seq_cursor')).rows[0]!.seq);
    while ((await head()) < to) {
      const before = await head();
      await submitted(one, me);
      await until(async () => (await head()) > before, 'the number');
    }
  }
  const files = async (): Promise<readonly string[]> =>
    (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const newest = async (): Promise<string> => join(folder, [...(await files())].sort().at(-1)!);
  async function edit(change: (content: Written) => Partial<Written>): Promise<void> {
    const file = await newest();
    const content = JSON.parse(await readFile(file, 'utf8')) as Written;
    await writeFile(file, JSON.stringify({ ...content, ...change(content) }));
  }
  /** Signs a changed checkpoint as a holder of the key could. */
  async function resign(changes: {
    readonly logId?: string;
    readonly seq?: bigint;
    readonly chain?: Buffer;
  }): Promise<void> {
    const content = JSON.parse(await readFile(await newest(), 'utf8')) as Written;
    const key = new CheckpointFolder(folder);
    const { log_id: logId, recorded_at: recordedAt } = content;
    const chain = Buffer.from(content.chain, 'hex');
    await key.write(await key.sign({ logId, seq: BigInt(content.seq), chain, recordedAt, ...changes }));
  }

  it('are written when the log has moved, into the database and signed beside it', async () => {
    await checkpoints.write();
    await grown(5);
    await checkpoints.write();
    const { rows } = await db.owner.query<{ seq: number; chain: string; key_id: string }>(
      `select k.seq::int, encode(k.chain, 'hex') as chain, k.key_id from jobs.checkpoint k join jobs.event_seq s using (seq, chain) order by 1`,
    );
    expect(rows.map(({ seq }) => seq)).toEqual([3, 5]);
    const last = rows.at(-1)!;
    expect([...(await files())].sort()).toEqual(['00000000000000000003.json', '00000000000000000005.json']);
    expect(JSON.parse(await readFile(await newest(), 'utf8'))).toMatchObject({
      format: 'heddle-checkpoint',
      format_version: 1,
      seq: '5',
      chain: last.chain,
      key_id: last.key_id,
    });
    expect((await stat(join(folder, 'key.pem'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder, 'key.pub.pem'), 'utf8')).toContain('PUBLIC KEY');
    await checkpoints.check();
    expect([checkpoints.trouble, said]).toEqual([null, []]);
  });

  it.each<readonly [string, () => Promise<void>, string]>([
    ['is forged', async () => await edit(() => ({ chain: 'ab'.repeat(32) })), 'it was changed after it was signed'],
    ['is no checkpoint', async () => await writeFile(await newest(), 'torn'), 'it is not a JSON object'],
    ['is missing', async () => await rm(await newest()), 'has no checkpoint, but one of seq 3 was written'],
    [
      'lies under another name',
      async () => await rename(await newest(), join(folder, '00000000000000000009.json')),
      'it is a checkpoint of seq 3',
    ],
    [
      'belongs to another log',
      async () => await resign({ logId: '00000000-0000-4000-8000-000000000000' }),
      'it belongs to another log',
    ],
    [
      'is behind the end of a log that was cut',
      async () => await resign({ seq: 900n }),
      'the log ends at seq 3, before seq 900',
    ],
    [
      'has another chain',
      async () => await resign({ chain: Buffer.alloc(32, 7) }),
      'the log has another chain at seq 3',
    ],
  ])(
    'are compared with the log at the start: one that %s is named, stops further ones, and no job',
    async (_, change, reason) => {
      await change();
      const next = opened();
      await next.check();
      await next.check();
      expect(next.trouble).toContain(reason);
      expect(next.trouble).toContain('docs/how-to/age-the-log.md');
      expect(said).toEqual([next.trouble]);
      const before = await files();
      await grown(4);
      await next.write();
      expect(await files()).toEqual(before);
      expect((await db.owner.query(`select from jobs.checkpoint where key_id <> ''`)).rowCount).toBe(1);
    },
  );

  it('leave nothing of a write that failed', async () => {
    const full = new CheckpointFolder(folder);
    const signed = await full.sign({
      logId: newUuid(),
      seq: 7n,
      chain: Buffer.alloc(32),
      recordedAt: '2026-01-01T00:00:00.000Z',
    });
    // A folder in the place of the file, where the real cause is a full disk.
    await mkdir(join(folder, '00000000000000000007.json', 'in-the-way'), { recursive: true });
    await expect(full.write(signed)).rejects.toThrow();
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('fit again when the files are put where a person keeps them', async () => {
    await resign({ seq: 900n });
    await checkpoints.check();
    expect(checkpoints.trouble).not.toBeNull();
    await rm(join(folder, '00000000000000000900.json'));
    await checkpoints.check();
    expect(checkpoints.trouble).toBeNull();
    await grown(4);
    await checkpoints.write();
    expect(await files()).toHaveLength(2);
  });

  it('are kept by the service itself, which says in readiness and metrics when they do not fit, and goes on', async () => {
    const metrics = new MetricsRegistry();
    const readiness: { readonly name: string; readonly optional: boolean; readonly check: () => string | null }[] = [];
    const other = await openJobs(
      db,
      { checkpointMs: 20 },
      { checkpoints: { folder, keyFile: null }, readiness, metrics },
    );
    try {
      await grown(4);
      await until(async () => (await files()).includes('00000000000000000004.json'), 'the checkpoint');
      const check = readiness.find(({ name }) => name === 'log')!;
      expect([check.optional, check.check()]).toEqual([true, null]);
      await resign({ seq: 900n });
      await until(async () => await Promise.resolve(check.check() !== null), 'the contradiction');
      expect(check.check()).toContain('the log ends at seq');
      const shown = await metrics.metrics();
      expect(shown).toMatch(/heddle_log_trouble\{of="checkpoint"\} 1/);
      expect(shown).toMatch(/heddle_log_partitions\{state="attached"\} [1-9]/);
      expect(shown).toMatch(/heddle_log_checkpoint_age_seconds \d/);
      // A second problem is reported beside it.
      await db.owner.query(`insert into jobs.event_partition (name) values ('event_gone')`);
      await until(async () => await Promise.resolve(check.check()?.includes('event_gone') === true), 'the partition');
      expect(check.check()).toContain('the log ends at seq');
      expect(await metrics.metrics()).toMatch(/heddle_log_trouble\{of="partition"\} 1/);
      await db.owner.query(`delete from jobs.event_partition where name = 'event_gone'`);
      await submitted(other, someAccount());
    } finally {
      await other.close();
    }
  });
});
