import { canonicalJobEvent, encodeJobEvent, evolve, initial, endsJob, submitJob } from '@heddle/jobs-domain';
import type { JobEvent, JobState } from '@heddle/jobs-domain';
import { newUuid } from '@heddle/contracts-messages';
import { readFrom } from '@heddle/platform-event-log';
import type { SequencedEvent } from '@heddle/platform-event-log';
import type { TestDatabase } from '@heddle/testing-database';
import { freshSeed as seed, seeded } from '@heddle/testing-seed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOBS_ROLE, JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { openDatabase } from '../jobs-under-test/open-jobs.fixture.js';
import { randomCommand } from '../jobs-under-test/random-jobs.fixture.js';
import { submittedJob } from '../jobs-under-test/submitted-job.fixture.js';
import { OlderEnvelopes } from './older-envelopes.js';

const JOBS = 1000;
const COMMANDS = 25;

interface Expected {
  readonly status: string;
  readonly traceparent: string | null;
}

interface Row {
  readonly streamId: string;
  readonly version: number;
  readonly event: JobEvent;
  /** null in a row of a build before the envelope. */
  readonly envelope: Expected | null;
}

const INSERT_SQL = `
  insert into ${JOBS_SCHEMA}.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence,
    is_terminal, recorded_at, data, status, traceparent)
  select gen_random_uuid(), stream, version, type, 1, stream, stream, 0, ends, heddle.clock_now_ms(), data, status, trace
  from unnest($1::uuid[], $2::int[], $3::text[], $4::boolean[], $5::bytea[], $6::text[], $7::text[])
    as n (stream, version, type, ends, data, status, trace)`;

describe(`events of a build before the envelope (seed ${seed})`, () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openDatabase();
  });
  afterAll(async () => {
    await db.drop();
  });

  it('get the status and the trace that the fold of their stream gives, and keep those that their rows have', async () => {
    const pool = db.pool(JOBS_ROLE);
    const random = seeded(seed);
    const expected = new Map<string, Expected>();
    const events = Array.from({ length: JOBS }, () => aJob(random, expected)).flat();
    await pool.query(INSERT_SQL, parametersOf(events));
    let read: readonly SequencedEvent[] = [];
    // An open transaction blocks sequencing, and other specs share the server.
    const sequence = async (): Promise<number> => {
      await db.owner.query('select jobs.sequence_events($1, 1000, 100000, true)', [newUuid()]);
      read = await readFrom(pool, JOBS_SCHEMA, 0n, events.length);
      return read.length;
    };
    await expect.poll(sequence).toBe(events.length);
    const complete = await new OlderEnvelopes(pool).complete(read);
    expect(complete).toHaveLength(events.length);
    for (const { streamId, version, type, status, traceparent } of complete) {
      expect({ streamId, version, type, status, traceparent }).toMatchObject(expected.get(`${streamId} ${version}`)!);
    }
    expect(new Set(complete.map(({ status }) => status)).size).toBe(7);
    expect(new Set(complete.map(({ type }) => type)).size).toBe(12);
  });

  /** A job's lifecycle as rows, some with their envelope: both builds took turns writing. */
  function aJob(random: () => number, expected: Map<string, Expected>): readonly Row[] {
    const streamId = newUuid();
    const trace = random() < 0.5 ? null : `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const rows: Row[] = [];
    let state: JobState = initial;
    let shown = 'queued';
    const add = (event: JobEvent, workerSequence: number | null): void => {
      state = evolve(state, { event, recordedAt: '2026-01-01T00:00:00.000Z', workerSequence });
      shown = state.status === 'purged' || state.status === 'unsubmitted' ? shown : state.status;
      const version = rows.length + 1;
      const isNew = random() < 0.3;
      expected.set(`${streamId} ${version}`, { status: shown, traceparent: trace });
      rows.push({ streamId, version, event, envelope: isNew ? { status: shown, traceparent: trace } : null });
    };
    const submission = { ...submittedJob.data, traceparent: trace, metadata: { text: 'a\u0000b' } };
    const first = submitJob(state, submission);
    for (const event of first.ok ? first.events : []) add(event, null);
    for (let sequence = 1; sequence <= COMMANDS; sequence++) {
      const { decide, workerSequence } = randomCommand(random, state, sequence);
      const decision = decide(state);
      for (const event of decision.ok ? decision.events : []) add(event, workerSequence);
    }
    return rows;
  }
});

function parametersOf(rows: readonly Row[]): unknown[] {
  return [
    rows.map(({ streamId }) => streamId),
    rows.map(({ version }) => version),
    rows.map(({ event }) => event.type),
    rows.map(({ event }) => endsJob(event.type)),
    rows.map(({ event }) => Buffer.from(encodeJobEvent(canonicalJobEvent(event)))),
    rows.map(({ envelope }) => envelope?.status ?? null),
    rows.map(({ envelope }) => envelope?.traceparent ?? null),
  ];
}
