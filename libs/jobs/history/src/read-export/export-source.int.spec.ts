import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NumberedEvent } from '@heddle/platform-event-log';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { linesOf, loggedJobs } from '../logged-jobs.fixture.js';
import { describeHistorySource } from '../open-source/history-source.suite.js';
import { LinesSource } from '../open-source/lines-source.js';
import { snapshotLines } from '../snapshot-lines/snapshot-lines.js';
import { ExportSource } from './export-source.js';
import { HistoryEngine } from './history-engine.js';

let engine: HistoryEngine;
let folder: string;
beforeEach(async () => {
  engine = await HistoryEngine.open();
  folder = await mkdtemp(join(tmpdir(), 'heddle-source-'));
});
afterEach(async () => {
  engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function* stream(events: readonly NumberedEvent[]): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(linesOf(events).join('\n')));
}

describeHistorySource('in Parquet files', async (events) => {
  const lines = await mkdtemp(join(tmpdir(), 'heddle-source-'));
  const own = await HistoryEngine.open();
  const files = await snapshotLines(new LinesSource(stream(events)), lines, new AbortController().signal);
  return {
    open: () => new ExportSource('export', own.connection, [files]),
    canSearch: true,
    end: async () => {
      own.close();
      await rm(lines, { recursive: true, force: true });
    },
  };
});

it('gives events in the order of their numbers, however far these are apart', async () => {
  const far = loggedJobs(2).map((event, at) => ({ ...event, seq: at < 6 ? event.seq : BigInt(at) * 2n ** 48n }));
  const files = await snapshotLines(new LinesSource(stream(far.toReversed())), folder, new AbortController().signal);
  const source = new ExportSource('', engine.connection, [files]);
  const found: (bigint | null)[] = [];
  for await (const batch of source.events(2n)) found.push(...batch.map(({ seq }) => seq));
  expect(found).toEqual(far.slice(2).map(({ seq }) => seq));
});
