import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { SchemaMigrations } from '@heddle/platform-database';
import type pg from 'pg';
import {
  eventEnvelopeMigrationSql,
  eventLogFunctions,
  eventLogMigrationSql,
  eventNumbersMigration,
  eventPartitionsMigrations,
  type PartitionedLog,
} from './index.js';
import { appendEventsSql, appendParameters, type NewEvent } from './append-events.fixture.js';

export const SCHEMA = 'log';
export const ROLE = 'heddle_log';

const LOG: PartitionedLog = { schema: SCHEMA, role: ROLE, lastEvent: 'SampleForgotten' };

/** Tests draw stream ids at random; these partitions cover a quarter of all ids each. */
const SPREAD_SQL = `
  do $$ begin
    perform log.make_event_partitions(1::bigint << 46, array(select n * (1::bigint << 44) from generate_series(1, 13, 4) n));
  end $$;`;

/** A log, and beside it one row per stream as services have it; the lock on that row decides who may append next. */
export const LOG_MIGRATIONS: readonly SchemaMigrations[] = [
  {
    schema: SCHEMA,
    role: ROLE,
    migrations: [
      {
        name: '0001-log',
        up: `${eventLogMigrationSql(SCHEMA, ROLE)}
          create table log.head (stream_id uuid primary key, version int not null);
          grant select, insert, update on log.head to ${ROLE};`,
      },
      { name: '0002-envelope', up: eventEnvelopeMigrationSql(SCHEMA, ROLE) },
      ...eventPartitionsMigrations(LOG, ['0003-partitions', '0004-partitions-online', '0005-partitions-swap']),
      eventNumbersMigration(SCHEMA, '0006-numbers'),
    ],
    functions: [...eventLogFunctions(LOG, 'true'), { name: 'spread', sql: SPREAD_SQL }],
  },
];

/** A stream id from 2024, below the boundary of the first partition. */
export function idInFirstPartition(): string {
  return `01900000${randomUUID().slice(8)}`;
}

export function idInLastPartition(): string {
  return `f0000000${randomUUID().slice(8)}`;
}

const ACCOUNT = '0a000000-0000-4000-8000-000000000001';

export function anEvent(streamId: string, version: number, changes: Partial<NewEvent> = {}): NewEvent {
  return {
    eventId: randomUUID(),
    streamId,
    version,
    type: 'SampleHappened',
    schemaVersion: 1,
    accountId: ACCOUNT,
    deploymentId: ACCOUNT,
    fence: null,
    workerSeq: null,
    isTerminal: false,
    correlationId: null,
    causationId: null,
    data: Buffer.from(`{"version":${version}}`),
    status: null,
    traceparent: null,
    ...changes,
  };
}

export async function append(client: pg.Pool | pg.ClientBase, ...events: readonly NewEvent[]): Promise<void> {
  await client.query({ name: 'append', text: appendEventsSql(SCHEMA), values: appendParameters(events) });
}

/** The events numbered so far, in order. */
export async function sequenced(
  pool: pg.Pool,
): Promise<readonly { seq: number; streamId: string; version: number; epoch: number }[]> {
  const { rows } = await pool.query<{ seq: string; stream_id: string; version: number; epoch: string }>(
    'select seq, e.stream_id, version, s.epoch from log.event_seq s join log.event e using (txid, position) order by seq',
  );
  return rows.map((row) => ({
    seq: Number(row.seq),
    streamId: row.stream_id,
    version: row.version,
    epoch: Number(row.epoch),
  }));
}

export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  deadlineMs = 15_000,
): Promise<void> {
  for (const deadline = Date.now() + deadlineMs; !(await condition());) {
    if (Date.now() > deadline) throw new Error(`timed out waiting for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
}

const SEQUENCER = `
  import pg from 'pg';
  import { Sequencer } from '@heddle/platform-event-log';
  const [url, holder, leaseMs, netMs] = process.argv.slice(1);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => {});
  const sequencer = new Sequencer({ pool, schema: 'log', holder, leaseMs: Number(leaseMs), netMs: Number(netMs), onError: () => {} });
  sequencer.start();
  setInterval(() => sequencer.nudge(), 20);
`;

/** Starts a sequencer under this name in a separate process, to be killed or frozen. */
export function sequencerProcess(roleUrl: string, holder: string, leaseMs: number, netMs: number): ChildProcess {
  const told = [roleUrl, holder, String(leaseMs), String(netMs)];
  return spawn(process.execPath, ['--input-type=module', '-e', SEQUENCER, ...told], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

const LOG_PROCESS = `
  import net from 'node:net';
  import pg from 'pg';
  import { LogReader, Sequencer } from '@heddle/platform-event-log';
  const [url, holder, port] = process.argv.slice(1);
  const pool = new pg.Pool({ connectionString: url, max: 3 });
  pool.on('error', () => {});
  const broker = net.connect(Number(port), '127.0.0.1').setNoDelay();
  broker.on('error', () => process.exit(1)).on('close', () => process.exit(1));
  const unanswered = [];
  broker.on('data', (acks) => { for (const _ of acks) unanswered.shift()(); });
  const handle = async (events) => {
    const acknowledged = new Promise((resolve) => unanswered.push(resolve));
    broker.write(JSON.stringify(events.map((e) => [e.eventId, e.streamId, e.version, Number(e.seq)])) + '\\n');
    await acknowledged;
  };
  const shared = { pool, schema: 'log', holder, onError: () => {} };
  const reader = new LogReader({ ...shared, consumer: 'relay', handle, batchSize: 50 });
  const sequencer = new Sequencer({ ...shared, onTurn: (turn) => { if (turn.count > 0) reader.nudge(); } });
  sequencer.start();
  reader.start();
  setInterval(() => { sequencer.nudge(); reader.nudge(); }, 20);
`;

/** Starts a process with a sequencer and a relay under one name, as services do; it publishes to a broker on `port`. */
export function logProcess(roleUrl: string, holder: string, port: number): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', LOG_PROCESS, roleUrl, holder, String(port)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Adds a copy of the event at a position that the sequencer has already passed. */
export function unnumberedSql(position: number, txid = 'txid'): string {
  return `
    insert into log.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, data, txid)
    select gen_random_uuid(), gen_random_uuid(), 1, type, 1, account_id, deployment_id, data, ${txid}
      from log.event where position = ${position}`;
}
