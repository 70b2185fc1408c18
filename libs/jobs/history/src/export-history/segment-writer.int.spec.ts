import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ExportFolder } from '../export-place/export-folder.js';
import { linesOf, loggedJobs } from '../logged-jobs.fixture.js';
import { LinesSource } from '../open-source/lines-source.js';
import { HistoryEngine } from '../read-export/history-engine.js';
import { SegmentWriter } from './segment-writer.js';

it('writes each event to the file of its UTC day, also at midnight', async () => {
  const times = [
    '2026-11-26T23:59:59.999Z',
    '2026-11-27T00:00:00.000Z',
    '2026-11-27T23:59:59.999Z',
    '2026-11-28T00:00:00.000Z',
  ];
  const log = loggedJobs(1)
    .slice(0, times.length)
    .map((event, at) => ({ ...event, type: 'JobLeased', recordedAt: times[at]! }));
  const folder = await mkdtemp(join(tmpdir(), 'heddle-segment-'));
  const { signal } = new AbortController();
  const { segment, recordedAt } = await HistoryEngine.during(signal, async (connection) => {
    const place = new ExportFolder(folder);
    const writer = new SegmentWriter(connection, place, false);
    async function* input(): AsyncGenerator<string> {
      yield await Promise.resolve(`${linesOf(log).join('\n')}\n`);
    }
    const range = { from: 1n, to: 4n, chainBefore: '0'.repeat(64) };
    return await place.exclusively(() => writer.write(new LinesSource(input()), range, signal, () => undefined));
  });
  expect(recordedAt).toBe(times[3]);
  expect(
    segment.files.map(({ path, min_seq, max_seq, events }) => [path.slice(7, 20), min_seq, max_seq, events]),
  ).toEqual([
    ['dt=2026-11-26', 1, 1, 1],
    ['dt=2026-11-27', 2, 3, 2],
    ['dt=2026-11-28', 4, 4, 1],
  ]);
  await rm(folder, { recursive: true });
});
