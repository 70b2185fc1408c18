import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NumberedEvent } from '@heddle/platform-event-log';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loggedJobs } from '../logged-jobs.fixture.js';
import { askQuestion } from '../query-history/ask-question.js';
import { appendEvents } from './append-events.js';
import { COLUMN_LIST, exportRows, TABLE_COLUMNS } from './event-columns.js';
import { HistoryEngine } from './history-engine.js';
import { literal } from './sql-literal.js';

const { signal } = new AbortController();
let folder: string;
let written = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-columns-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A Parquet file of these events, with the columns of today or of before. */
async function fileOf(events: readonly NumberedEvent[], ofBefore = false): Promise<string> {
  const file = join(folder, `${++written}.parquet`);
  await HistoryEngine.during(signal, async (connection) => {
    await connection.run(`create temp table rows (${TABLE_COLUMNS})`);
    const appender = await connection.createAppender('rows');
    appendEvents(appender, events);
    appender.closeSync();
    const rows = exportRows('2026-11-27T12:00:00.000Z', 'from rows');
    const select = ofBefore ? `select ${COLUMN_LIST}, exported_at from (${rows})` : rows;
    await connection.run(`copy (${select}) to ${literal(file)} (format parquet)`);
  });
  return file;
}

async function asked(sql: string, files: readonly string[]): Promise<unknown[]> {
  const question = { sql, params: {}, timeoutMs: 30_000, memory: '300MB', files, parquet: null };
  return await askQuestion(question, signal, async ({ columns, rows }) => {
    const all: unknown[] = [];
    for await (const batch of rows())
      all.push(...batch.map((row) => Object.fromEntries(row.map((value, at) => [columns[at]!.name, value]))));
    return all;
  });
}

const [submitted, leased, node, , output] = loggedJobs(1) as [
  NumberedEvent,
  NumberedEvent,
  NumberedEvent,
  NumberedEvent,
  NumberedEvent,
];
const withPayload = (type: string, data: string | null): NumberedEvent => ({
  ...node,
  type,
  version: 9,
  data: data === null ? null : Buffer.from(data),
});

it('repeat fields of the payload, each with its type', async () => {
  const files = [await fileOf([submitted, leased, node, output])];
  expect(
    await asked(
      `select type, d_workflow_hash, d_nodes_total, d_surface, d_attempt, d_worker_id, d_environment, d_node_id, d_class_type,
              d_started_at, d_ended_at, d_cached, d_content_type, d_size_bytes from events order by seq`,
      files,
    ),
  ).toMatchObject([
    { type: 'JobSubmitted', d_workflow_hash: 'blake3:00', d_nodes_total: 2, d_surface: 'self-hosted', d_attempt: null },
    { type: 'JobLeased', d_attempt: 1, d_worker_id: 'w1', d_environment: 'e', d_node_id: null },
    {
      type: 'NodeFinished',
      ...{ d_node_id: '1', d_class_type: 'EmptyImage', d_cached: false },
      ...{ d_started_at: '2026-11-27T10:00:00.150Z', d_ended_at: '2026-11-27T10:00:00.350Z' },
    },
    { type: 'OutputCommitted', d_node_id: '2', d_content_type: 'image/png', d_size_bytes: 10 },
  ]);
});

it('give start and end of a failed node, and what ended a lease', async () => {
  const failed = {
    error: { code: 'node_execution_error', message: 'private', nodeId: '7', classType: 'KSampler', traceback: null },
    progress: null,
    nodeRun: { startedAt: '2026-11-27T10:00:00.000Z', endedAt: '2026-11-27T10:00:02.500Z' },
  };
  const lost = { reason: 'engine_lost', detail: 'private', attemptSpent: true, progress: null };
  const events = [withPayload('JobFailed', JSON.stringify(failed)), withPayload('LeaseLost', JSON.stringify(lost))];
  const sql = `select d_error_code, d_node_id, d_class_type, date_diff('millisecond', d_started_at, d_ended_at)::integer as ms,
                      d_reason, d_attempt_spent from events order by type`;
  expect(await asked(sql, [await fileOf(events)])).toMatchObject([
    { d_error_code: 'node_execution_error', d_node_id: '7', d_class_type: 'KSampler', ms: 2_500, d_reason: null },
    { d_error_code: null, ms: null, d_reason: 'engine_lost', d_attempt_spent: true },
  ]);
  const text = JSON.stringify(await asked('select * exclude (data) from events', [await fileOf(events)]));
  expect(text).not.toContain('private');
});

it.each([
  ['was purged or left out', null],
  ['is no JSON', '{"nodeId":'],
  ['has other types', '{"startedAt":"soon","nodeId":null,"sizeBytes":"many","attempt":1.5e99}'],
  ['is not an object', '[1]'],
])('are null where the payload %s, and the payload stays as it is', async (_, data) => {
  const sql = 'select data, d_started_at, d_node_id, d_size_bytes, d_attempt from events';
  expect(await asked(sql, [await fileOf([withPayload('NodeFinished', data)])])).toEqual([
    { data, d_started_at: null, d_node_id: null, d_size_bytes: null, d_attempt: null },
  ]);
});

it('are taken from the payloads in files of before, whichever file comes first', async () => {
  const [before, now] = [await fileOf([leased], true), await fileOf([node])];
  const sql = 'select type, d_node_id, d_attempt from events order by seq';
  const rows = [
    { type: 'JobLeased', d_node_id: null, d_attempt: 1 },
    { type: 'NodeFinished', d_node_id: '1', d_attempt: null },
  ];
  expect(await asked(sql, [before, now])).toEqual(rows);
  expect(await asked(sql, [now, before])).toEqual(rows);
  expect(await asked(sql, [before])).toEqual(rows.slice(0, 1));
  expect(await asked(sql, [])).toEqual([]);
});
