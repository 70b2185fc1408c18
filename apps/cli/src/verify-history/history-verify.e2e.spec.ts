import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkpointFileName, checkpointJson, sign } from '@heddle/platform-event-log';
import { serverOf, startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHeddle, startHeddle } from '../heddle-process.fixture.js';

const GRAPH = {
  '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 255 } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'blue' } },
};

let service: Standalone;
let folder: string;
let owner: pg.Client;
let databaseUrl: string;
const history = (...words: string[]) => runHeddle(['history', ...words, '--data', service.dataDir], {});
const verified = async (...words: string[]) => {
  const { code, lines } = await history('verify', '--json', ...words);
  return { code, line: lines().at(-1)! };
};
/** Tampers with the log or the jobs as the owner, with triggers disabled. */
const tamper = async (sql: string): Promise<void> => {
  await owner.query(`begin; set local session_replication_role = replica; ${sql}; commit`);
};

beforeAll(async () => {
  service = await startStandalone();
  folder = await mkdtemp(join(tmpdir(), 'heddle-cli-'));
  const graph = join(folder, 'graph.json');
  await writeFile(graph, JSON.stringify(GRAPH));
  for (let run = 0; run < 2; run++) await runHeddle(['run', graph, '--json'], { HEDDLE_URL: service.url });
  const server = serverOf(service.dataDir)!;
  databaseUrl = server.url(server.running()!.port, 'heddle');
  owner = new pg.Client(databaseUrl);
  await owner.connect();
  for (;;) {
    const text = 'select (select count(*) from jobs.event) - (select seq from jobs.seq_cursor) as left';
    if ((await owner.query<{ left: string }>(text)).rows[0]!.left === '0') break;
  }
});

afterAll(async () => {
  await owner.end();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('heddle history verify', () => {
  it('prints what it checked as one line, and ends with 0', async () => {
    const { code, line } = await verified();
    expect(code).toBe(0);
    expect(line).toEqual({
      ok: true,
      source: service.dataDir,
      events: line['last_seq'],
      first_seq: 1,
      last_seq: expect.any(Number) as number,
      chain: expect.stringMatching(/^[\da-f]{64}$/) as string,
      head: `${line['last_seq'] as number}:${line['chain'] as string}`,
      jobs: 2,
      outputs: 2,
      read_model: 'equal',
      faults: [],
      seconds: expect.any(Number) as number,
    });
    expect(await verified('--no-fold')).toMatchObject({ code: 0, line: { ok: true, read_model: 'not_checked' } });
    expect((await verified('--head', line['head'] as string)).code).toBe(0);
    const byUrl = await runHeddle(['history', 'verify', '--json', '--database-url', databaseUrl], {});
    expect(byUrl.code).toBe(0);
    expect(String(byUrl.lines().at(-1)!['source'])).toMatch(/^postgres(ql)?:\/\/127.0.0.1:\d+\/heddle$/);
  });

  it('says for a person what it checked, and its head', async () => {
    const { out } = await history('verify');
    expect(out).toMatch(
      /^no fault: \d+ events, seq 1 to \d+; 2 jobs and 2 outputs compared; .* events\/s\nhead \d+:[\da-f]{64}\n$/,
    );
  });

  it('is an inverse of nothing: what was changed in the log shows, with its number, and ends with 1', async () => {
    await tamper(
      `update jobs.event set correlation_id = 'x' where position = (select position from jobs.event_seq where seq = 2)`,
    );
    const { code, line } = await verified();
    expect(code).toBe(1);
    expect(line).toMatchObject({ ok: false, read_model: 'equal' });
    const keys = ['fault', 'seq', 'event_id', 'job_id', 'version', 'file', 'message'];
    expect((line['faults'] as object[]).map((fault) => Object.keys(fault))).toEqual([keys]);
    expect(line['faults']).toMatchObject([{ fault: 'hash', seq: 2, file: null }]);
    expect((await history('verify')).out).toMatch(/^hash at seq 2, version \d+ of job .*\nfaults: /);
    await tamper(`update jobs.event_seq set chain = chain`);
  });

  it.each([
    [
      'undecodable',
      `update jobs.event set data = '{"odd":1}' where type = 'JobSubmitted' and position = (select min(position) from jobs.event)`,
    ],
    [
      'undecodable',
      `update jobs.event set schema_version = 99 where position = (select min(position) from jobs.event)`,
    ],
    [
      'fold',
      `delete from jobs.event where type = 'JobLeased' and position = (select min(position) from jobs.event where type = 'JobLeased')`,
    ],
  ])('finds an event that makes no sense: %s', async (fault, sql) => {
    const copy = await owner.query('select * from jobs.event');
    expect(copy.rowCount).toBeGreaterThan(0);
    await owner.query('create table if not exists public.kept as select * from jobs.event');
    await tamper(sql);
    const { code, line } = await verified();
    await tamper('delete from jobs.event; insert into jobs.event select * from public.kept; drop table public.kept');
    expect(code).toBe(1);
    expect(line['faults']).toContainEqual(expect.objectContaining({ fault, version: expect.any(Number) as number }));
  });

  it('finds rows of jobs that are not what the log says', async () => {
    await tamper(
      `update jobs.job set status = 'failed', error = '{}' where id = (select min(id::text)::uuid from jobs.job)`,
    );
    expect(await verified()).toMatchObject({ code: 1, line: { ok: false, read_model: 'differs' } });
    const looked = await history('rebuild', '--json');
    expect(looked.code).toBe(1);
    expect(looked.lines().at(-1)).toMatchObject({ schema: 'jobs_rebuilt', jobs: 2, outputs: 2, swapped: false });
    expect((await owner.query(`select from pg_namespace where nspname = 'jobs_rebuilt'`)).rowCount).toBe(0);
    const swapped = await history('rebuild', '--json', '--swap', '--schema', 'put_right');
    expect(swapped).toMatchObject({ code: 0 });
    expect(swapped.lines().at(-1)).toMatchObject({ schema: 'put_right', swapped: true });
    const former = `select status from put_right.job where status = 'failed'`;
    expect((await owner.query(former)).rowCount).toBe(1);
    const again = await history('rebuild', '--json', '--schema', 'put_right');
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('put_right already exists') as string });
    const last = await history('rebuild', '--json', '--swap');
    expect(last.lines().at(-1)).toMatchObject({ differences: [], swapped: true });
    await owner.query('drop schema put_right, jobs_rebuilt cascade');
    expect([last.code, (await verified()).line['read_model']]).toEqual([0, 'equal']);
  });

  it('starts at a trusted checkpoint where it is told so, and has none in an empty folder', async () => {
    const { rows } = await owner.query<{ log_id: string; seq: string; chain: Buffer }>(
      'select log_id, seq, chain from jobs.log_identity, jobs.event_seq where seq = 3',
    );
    const { log_id: logId, chain } = rows[0]!;
    const checkpoints = await mkdtemp(join(folder, 'checkpoints-'));
    const none = await history('verify', '--after-checkpoint', '--json', '--checkpoints', checkpoints);
    expect(none.lines().at(-1)).toMatchObject({ event: 'error', error: { code: 'not_found' } });
    expect([none.code, (await history('verify', '--checkpoints', join(folder, 'absent'))).code]).toEqual([1, 2]);
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    await writeFile(join(checkpoints, 'key.pub.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
    const signed = sign({ logId, seq: 3n, chain, recordedAt: '2026-11-23T11:20:00.000Z' }, privateKey);
    await writeFile(join(checkpoints, checkpointFileName(3n)), checkpointJson(signed));
    const { line } = await verified('--after-checkpoint', '--checkpoints', checkpoints);
    expect(line).toMatchObject({ first_seq: 4 });
    const { rows: ends } = await owner.query<{ seq: string; chain: Buffer }>(
      'select seq, chain from jobs.event_seq order by seq desc limit 1',
    );
    const last = { logId, seq: BigInt(ends[0]!.seq), chain: ends[0]!.chain, recordedAt: '2026-11-23T11:30:00.000Z' };
    await writeFile(join(checkpoints, checkpointFileName(last.seq)), checkpointJson(sign(last, privateKey)));
    const { code, out } = await history('verify', '--after-checkpoint', '--checkpoints', checkpoints);
    expect([code, out]).toEqual([0, expect.stringContaining(`no event since the checkpoint of seq ${last.seq}; `)]);
  });

  it.each([
    [['--from', 'export'], '--from and --data name two logs'],
    [['--head', '12'], '--head must be SEQ:CHAIN'],
    [['--head', `1:${'g'.repeat(64)}`], '--head must be SEQ:CHAIN'],
    [['--database-url', 'postgres://x'], 'name two logs'],
    [['more'], 'takes no arguments'],
    [['--fold'], "unknown option '--fold'"],
  ])('refuses %j as wrong usage', async (words, message) => {
    const { code, err } = await history('verify', ...words);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  it('refuses a schema name that is none, and a role that may not make one', async () => {
    expect(await history('rebuild', '--schema', 'x; drop schema jobs')).toMatchObject({ code: 2 });
    await owner.query(`create role verify_reader login password 'p'; grant usage on schema jobs to verify_reader;
      grant select on all tables in schema jobs to verify_reader`);
    const url = new URL(databaseUrl);
    [url.username, url.password] = ['verify_reader', 'p'];
    const rebuilt = await runHeddle(['history', 'rebuild'], { HEDDLE_DATABASE_URL: url.href });
    await owner.query('drop owned by verify_reader; drop role verify_reader');
    expect(rebuilt).toMatchObject({ code: 1, err: expect.stringContaining('owner of the database') as string });
  });

  it('ends with 3 where no database answers, with 1 where it is not one of Heddle, with 130 on Ctrl-C', async () => {
    const away = await runHeddle(['history', 'verify'], { HEDDLE_DATABASE_URL: 'postgresql://x:y@127.0.0.1:9/heddle' });
    expect(away.code).toBe(3);
    const url = new URL(databaseUrl);
    url.pathname = '/postgres';
    const foreign = await runHeddle(['history', 'verify'], { HEDDLE_DATABASE_URL: url.href });
    expect(foreign).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not a database of Heddle: it has no table jobs.event') as string,
    });
    // It waits for the lock, so that it is interrupted in the middle.
    const locker = new pg.Client(databaseUrl);
    await locker.connect();
    await locker.query('begin; lock table jobs.checkpoint in access exclusive mode');
    const running = startHeddle(['history', 'verify', '--data', service.dataDir], {});
    for (;;) {
      const waiting = `select from pg_stat_activity where application_name = 'heddle-history' and wait_event_type = 'Lock'`;
      if ((await owner.query(waiting)).rowCount === 1) break;
    }
    running.child.kill('SIGINT');
    await locker.end();
    expect((await running.ended).code).toBe(130);
  }, 60_000);
});
