import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loggedJobs } from '../logged-jobs.fixture.js';
import { lineOfEvent, type SegmentLine } from './segment-line.js';
import { LINE_FIELDS } from './line-fields.js';

import { SegmentParts } from './segment-parts.js';

const DAY_MS = 86_400_000;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-parts-'));
});
afterEach(() => rm(folder, { recursive: true }));

const textOf = ({ line }: SegmentLine): string => line.toString();

it('a line has the fields that are read', () => {
  expect(textOf(lineOfEvent(loggedJobs(1)[0]!)).split('\t')).toHaveLength(LINE_FIELDS.length);
});

it('the lines of more parts than there are buffers are all there, in order', async () => {
  const [event] = loggedJobs(1);
  const lines = Array.from({ length: 1_000 }, (_, at) => {
    const recordedAt = new Date(Date.parse(event!.recordedAt) + (at % 300) * DAY_MS).toISOString();
    return lineOfEvent({ ...event!, seq: BigInt(at + 1), recordedAt });
  });
  const parts = new SegmentParts(folder);
  for (const line of lines) parts.take(line);
  const found = parts.finish();
  expect(found).toHaveLength(300);
  for (const [at, part] of found.entries()) {
    const own = lines.filter((_, n) => n % 300 === at);
    expect(part).toMatchObject({ events: own.length, minSeq: at + 1, maxSeq: at + 1 + 300 * (own.length - 1) });
    expect(await readFile(part.lines, 'utf8')).toBe(own.map(textOf).join(''));
  }
});

it('a line beyond a buffer stays between those beside it', async () => {
  const [event] = loggedJobs(1);
  const lines = [10, 500_000, 20].map((bytes) => lineOfEvent({ ...event!, data: Buffer.alloc(bytes, 'x') }));
  const parts = new SegmentParts(folder);
  for (const line of lines) parts.take(line);
  const [part] = parts.finish();
  expect(await readFile(part!.lines, 'utf8')).toBe(lines.map(textOf).join(''));
});
