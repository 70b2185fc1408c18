import { rebuildReadModel } from '@heddle/jobs';
import type { Pool } from 'pg';
import { finishOneJob } from '../finish-one-job.ts';
import { startJobs } from '../jobs-process.ts';
import { pause } from '../http-load.ts';
import type { BenchServers } from '../servers.ts';
import type { Sample } from '../rows.ts';

const COPIES = 4000;
const PAGE = 500;

/** Row R1: rebuild of the read model, compared with reading and parsing the same events. */
export async function measureRebuild({ floorDatabase }: BenchServers): Promise<Sample> {
  const jobs = await startJobs(floorDatabase.url);
  const owner = jobs.database.ownerPool;
  try {
    await finishOneJob(jobs);
    await copyStream(owner);
    const replay = await timed(() => replayByPages(owner));
    const rebuild = await timed(async () => (await rebuildReadModel(owner, 'bench_rebuilt')).events);
    return { 'replay.rate': replay, 'rebuild.rate': rebuild };
  } finally {
    await jobs.close();
  }
}

async function timed(work: () => Promise<number>): Promise<number> {
  const began = performance.now();
  const events = await work();
  return events / ((performance.now() - began) / 1000);
}

/** Copies the events for many more jobs, and waits until the sequencer has numbered them. */
async function copyStream(owner: Pool): Promise<void> {
  await owner.query(`
    insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence, worker_seq,
                            is_terminal, recorded_at, correlation_id, data)
    select gen_random_uuid(), n.stream_id, e.version, e.type, e.schema_version, e.account_id, e.deployment_id, e.fence,
           e.worker_seq, e.is_terminal, e.recorded_at, e.correlation_id, e.data
    from (select overlay(gen_random_uuid()::text placing '01900000' from 1)::uuid as stream_id from generate_series(1, ${COPIES})) n cross join jobs.event e
    order by n.stream_id, e.version`);
  for (;;) {
    const { rows } = await owner.query<{ left: string }>(
      'select (select count(*) from jobs.event) - (select count(*) from jobs.event_seq) as left',
    );
    if (rows[0]?.left === '0') return;
    await pause(100);
  }
}

async function replayByPages(owner: Pool): Promise<number> {
  const statusOf = new Map<string, string>();
  let events = 0;
  for (let seq = '0'; ;) {
    const { rows } = await owner.query<{ seq: string; stream_id: string; type: string; data: Buffer }>({
      name: 'replay',
      text: `select s.seq, e.stream_id, e.version, e.type, e.recorded_at, e.data from jobs.event_seq s
             join jobs.event e on e.txid = s.txid and e.position = s.position where s.seq > $1 order by s.seq limit ${PAGE}`,
      values: [seq],
    });
    if (rows.length === 0) return events;
    for (const row of rows) {
      JSON.parse(row.data.toString('utf8'));
      statusOf.set(row.stream_id, row.type);
    }
    events += rows.length;
    seq = rows[rows.length - 1]!.seq;
  }
}
