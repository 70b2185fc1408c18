import { join } from 'node:path';
import { eventually } from '@heddle/testing-api';
import { serverOf } from '@heddle/testing-standalone';
import { checkCredits, dropRebuilt, rebuildReadModel, verifyHistory } from '@heddle/jobs';
import pg from 'pg';
import type { HeddleUnderFire } from './heddle-under-fire.ts';
import type { History } from './history.ts';
import { LOG_CHECKS } from './log-checks.ts';
import { PROMISE_CHECKS } from './promise-checks.ts';
import { readRun } from './recorded-run.ts';
import type { RecordedRun } from './recorded-run.ts';
import { TABLE_CHECKS } from './table-checks.ts';

export const CHECK_NAMES = [...LOG_CHECKS, ...TABLE_CHECKS, ...PROMISE_CHECKS].map(({ name }) => name);

/** Every broken invariant with at most five of its faults. */
export function brokenInvariants(run: RecordedRun, history: History): readonly string[] {
  const faultLines = (name: string, faults: readonly string[]): readonly string[] =>
    faults.length === 0 ? [] : [`${name}: ${faults.slice(0, 5).join('; ')} (${faults.length})`];
  return [
    ...[...LOG_CHECKS, ...TABLE_CHECKS].flatMap(({ name, faults }) => faultLines(name, faults(run))),
    ...PROMISE_CHECKS.flatMap(({ name, faults }) => faultLines(name, faults({ run, history }))),
  ];
}

/**
 * Checks every invariant of a run at rest, then rebuilds its read model from the first event and compares it byte by byte.
 * Throws the faults; resolves with a summary line.
 */
export async function examine(heddle: HeddleUnderFire, history: History): Promise<string> {
  const owner = ownerPool(heddle.dataDir);
  try {
    const { run, faults } = await readAtRest(owner, join(heddle.dataDir, 'blobs'));
    const broken = [...brokenInvariants(run, history), ...faults];
    if (broken.length > 0)
      throw new Error(`the run is not as it must be:\n${broken.join('\n')}\n${heddle.process.stderr().slice(-4_000)}`);
    const { submissions, uploads, cancels } = history;
    return (
      `${run.streams.size} jobs, ${run.sequenced} events, ${submissions.length} submissions, ${uploads.length} uploads, ` +
      `${cancels.length} cancels: ${CHECK_NAMES.length} invariants hold, the chain holds, the read model rebuilt from zero is byte-identical\n`
    );
  } finally {
    await owner.end();
  }
}

/** One line for each attempt that was spent without ending its job. */
export async function attemptsSpent(heddle: HeddleUnderFire): Promise<readonly string[]> {
  const owner = ownerPool(heddle.dataDir);
  try {
    const { rows } = await owner.query<{ why: string }>(
      `select d ->> 'reason' || ': ' || coalesce(d ->> 'detail', '') as why
       from (select convert_from(data, 'UTF8')::json as d from jobs.event where type = 'LeaseLost') e
       where (d ->> 'attemptSpent')::boolean`,
    );
    return rows.map(({ why }) => why);
  } finally {
    await owner.end();
  }
}

/** The state after every event was published, and the faults of its chain and of its rebuilt read model. */
export async function readAtRest(
  owner: pg.Pool,
  objectsFolder: string,
  withinMs?: number,
): Promise<{ readonly run: RecordedRun; readonly faults: readonly string[] }> {
  await atRest(owner, withinMs);
  const client = await owner.connect();
  const run = await readRun(client, objectsFolder).finally(() => client.release());
  return { run, faults: await logFaults(owner) };
}

/** Faults that a verification finds in a log and its read model, and the rebuilt read model. */
export async function logFaults(owner: pg.Pool): Promise<readonly string[]> {
  const { faults } = await verifyHistory(owner);
  const found = faults.map(
    ({ fault, seq, message }) => `${fault === 'read_model' ? 'I22' : 'I23'} ${fault} at ${seq}: ${message}`,
  );
  const { problems } = await checkCredits(owner);
  return [...found, ...problems.map((problem) => `I39 ${problem}`), ...(await rebuiltDifferences(owner))];
}

/** The owner's connections to the server of a data directory; its Heddle may have ended. */
export function ownerPool(dataDir: string): pg.Pool {
  const server = serverOf(dataDir);
  const port = server?.running()?.port;
  if (server === undefined || port === undefined) throw new Error(`no database server runs in ${dataDir}`);
  const pool = new pg.Pool({ connectionString: server.url(port, 'heddle'), max: 4 });
  pool.on('error', () => undefined);
  return pool;
}

/** Waits until every event is sequenced and published, and no output or hold waits for events. */
export async function atRest(owner: pg.Pool, withinMs?: number): Promise<void> {
  const sql = `
    select (select count(*) from jobs.event) = (select count(*) from jobs.event_seq)
       and (select count(*) from jobs.event_seq) = coalesce((select min(seq) from jobs.relay_cursor), 0)
       and not exists (select from assets.upload)
       and not exists (
         select from assets.hold h where h.released_at is null
            and (h.firm_at is not null or exists (select from jobs.event e where e.stream_id = h.job_id))
            and not exists (select from jobs.queue q where q.job_id = h.job_id)
       )
       and not exists (select from assets.asset a where a.job_id is not null and a.confirmed_at is null) as rests`;
  await eventually(
    'the log to be published to every service',
    async () => (await owner.query<{ rests: boolean }>(sql)).rows[0]?.rests,
    withinMs,
  ).catch(
    // The checks report what hangs in more detail.
    () => undefined,
  );
}

async function rebuiltDifferences(owner: pg.Pool): Promise<readonly string[]> {
  await dropRebuilt(owner, 'jobs_rebuilt');
  await rebuildReadModel(owner, 'jobs_rebuilt');
  const differences: string[] = [];
  for (const table of ['job', 'job_output']) {
    const dump = async (schema: string): Promise<string | null> => {
      const sql = `select md5(string_agg(t::text, E'\\n' order by t::text)) as md5 from ${schema}.${table} t`;
      return (await owner.query<{ md5: string | null }>(sql)).rows[0]?.md5 ?? null;
    };
    if ((await dump('jobs')) !== (await dump('jobs_rebuilt')))
      differences.push(`I22 ${table} is not what a rebuild gives`);
  }
  await dropRebuilt(owner, 'jobs_rebuilt');
  return differences;
}
