import { hash } from 'node:crypto';
import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBBlobValue, DuckDBValue } from '@duckdb/node-api';
import type { NumberedEvent } from '@heddle/platform-event-log';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExportFolder } from '../export-place/export-folder.js';
import type { ExportSegment } from '../export-place/manifest.js';
import { loggedJobs } from '../logged-jobs.fixture.js';
import { parquet } from '../read-export/export-source.js';
import { HistoryEngine } from '../read-export/history-engine.js';
import { lineOfEvent } from './segment-line.js';
import { SegmentParts, type SegmentPart } from './segment-parts.js';
import { SegmentWriter } from './segment-writer.js';

const { signal } = new AbortController();
const CHAIN = '0'.repeat(64);

let folder: string;
let out: string;
let engine: HistoryEngine;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-segment-'));
  out = join(folder, 'out');
  engine = await HistoryEngine.open();
});
afterEach(async () => {
  engine.close();
  await rm(folder, { recursive: true });
});

function partsOf(events: readonly NumberedEvent[]): readonly SegmentPart[] {
  const parts = new SegmentParts(folder);
  for (const event of events) parts.take(lineOfEvent(event));
  return parts.finish();
}

async function written(
  events: readonly NumberedEvent[],
  parts = partsOf(events),
): Promise<{ readonly segment: ExportSegment; readonly recordedAt: string }> {
  const place = new ExportFolder(out);
  const fetched = { from: 1n, to: BigInt(events.length), folder, parts };
  const writer = new SegmentWriter(engine.connection, place, false);
  return await place.exclusively(() => writer.write(fetched, CHAIN, signal, () => undefined));
}

async function rowsOf({ files }: ExportSegment, columns: string): Promise<DuckDBValue[][]> {
  const paths = files.map(({ path }) => join(out, path));
  return (await engine.connection.runAndReadAll(`select ${columns} from ${parquet(paths)} order by seq`)).getRows();
}

async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

describe('a segment', () => {
  it('has each event in the file of its UTC day, also at midnight', async () => {
    const times = [
      '2026-11-26T23:59:59.999Z',
      '2026-11-27T00:00:00.000Z',
      '2026-11-27T23:59:59.999Z',
      '2026-11-28T00:00:00.000Z',
    ];
    const log = loggedJobs(1)
      .slice(0, times.length)
      .map((event, at) => ({ ...event, type: 'JobLeased', recordedAt: times[at]! }));
    const { segment, recordedAt } = await written(log);
    expect(recordedAt).toBe(times[3]);
    expect(segment).toMatchObject({ from_seq: 1, to_seq: 4, events: 4, chain: log[3]!.chain!.toString('hex') });
    expect(
      segment.files.map(({ path, min_seq, max_seq, events }) => [path.slice(7, 20), min_seq, max_seq, events]),
    ).toEqual([
      ['dt=2026-11-26', 1, 1, 1],
      ['dt=2026-11-27', 2, 3, 2],
      ['dt=2026-11-28', 4, 4, 1],
    ]);
  });

  it('has its rows by job and version, and leaves no lines behind', async () => {
    const jobs = loggedJobs(20).map((event) => ({ ...event, type: 'NodeFinished' }));
    const log = jobs.toReversed().map((event, at) => ({ ...event, seq: BigInt(at + 1) }));
    const { segment } = await written(log);
    const sql = `select job_id, version from ${parquet([join(out, segment.files[0]!.path)])}`;
    expect((await engine.connection.runAndReadAll(sql)).getRows()).toEqual(
      jobs.map(({ streamId, version }) => [streamId, version]),
    );
    expect((await readdir(folder)).filter((name) => name.endsWith('.tsv'))).toEqual([]);
  });

  it('has what people wrote byte for byte', async () => {
    const texts = ['"', `'`, '\\', '\\N', '\n', '\r\n', '\t', ',', '\u2028', 'ü', '日本', '😀', '\ufeff', 'NULL', ' '];
    const large = texts.join('').repeat(20_000);
    const log = [...texts, large].map((text, at) => ({
      ...loggedJobs(3)[at]!,
      correlationId: text.slice(0, 200),
      data: Buffer.from(JSON.stringify({ text })),
    }));
    expect(log.at(-1)!.data.length).toBeGreaterThan(700_000);
    const { segment } = await written(log);
    const rows = await rowsOf(segment, 'lower(hex(correlation_id)), data_sha256, sha256(data)');
    expect(rows.map(([id]) => id)).toEqual(log.map(({ correlationId }) => Buffer.from(correlationId).toString('hex')));
    const digests = log.map(({ data }) => hash('sha256', data));
    expect(rows.map(([, digest]) => Buffer.from((digest as DuckDBBlobValue).bytes).toString('hex'))).toEqual(digests);
    expect(rows.map(([, , digest]) => digest)).toEqual(digests);
  });

  it('shows the bytes of a changed payload that are no text, and exports the rest', async () => {
    const [event, other] = loggedJobs(1);
    const { segment } = await written([{ ...event!, data: Buffer.from([0x7b, 0xff, 0x7d]) }, other!]);
    expect(await rowsOf(segment, 'data')).toEqual([['{\\xFF}'], [other!.data!.toString()]]);
  });

  it('keeps a payload of 1 MiB whole', async () => {
    const data = Buffer.from(JSON.stringify('x'.repeat(1_048_574)));
    const { segment } = await written([{ ...loggedJobs(1)[0]!, data }]);
    expect(data).toHaveLength(1_048_576);
    expect(await rowsOf(segment, 'length(data), data_sha256 = unhex(sha256(data))')).toEqual([[1_048_576n, true]]);
  });
});

describe('a segment that fails', () => {
  it('leaves no file, whole or half', async () => {
    const log = loggedJobs(2);
    const parts = partsOf(log);
    await truncate(parts.at(-1)!.lines, 40);
    await expect(written(log, parts)).rejects.toThrow();
    expect(await filesBelow(join(out, 'events'))).toEqual([]);
  });

  it('is one whose lines are fewer than its events', async () => {
    const log = loggedJobs(2);
    const parts = partsOf(log);
    await truncate(parts.at(-1)!.lines, 0);
    await expect(written(log, parts)).rejects.toThrow(/got 0 of its \d events/);
    expect(await filesBelow(join(out, 'events'))).toEqual([]);
  });
});
