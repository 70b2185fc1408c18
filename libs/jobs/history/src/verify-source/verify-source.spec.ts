import type { NumberedEvent } from '@heddle/platform-event-log';
import { describe, expect, it } from 'vitest';
import { jobId, linesOf, loggedJobs } from '../logged-jobs.fixture.js';
import { LinesSource } from '../open-source/lines-source.js';
import { verifySource } from './verify-source.js';

const LOG = loggedJobs(3);
const LAST = LOG.at(-1)!;

async function* stream(lines: readonly string[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(lines.join('\n'));
  // Chunks end anywhere, also within a character.
  for (let at = 0; at < bytes.length; at += 777) yield await Promise.resolve(bytes.subarray(at, at + 777));
}
const source = (events: readonly NumberedEvent[]): LinesSource => new LinesSource(stream(linesOf(events)));
const changed = (at: number, change: Partial<NumberedEvent>): NumberedEvent[] =>
  LOG.map((event, index) => (index === at ? { ...event, ...change } : event));

describe('a log outside a database', () => {
  it('is sound as it was written', async () => {
    expect(await verifySource(source(LOG))).toEqual({
      events: 18n,
      firstSeq: 1n,
      lastSeq: 18n,
      chain: LAST.chain,
      jobs: 3,
      outputs: 3,
      unfolded: 0,
      faults: [],
    });
  });

  it.each([
    ['hash', changed(7, { correlationId: 'x' }), { seq: 8n, streamId: jobId(1), version: 2 }],
    ['hash', changed(4, { data: Buffer.from('{}') }), { seq: 5n, eventId: LOG[4]!.eventId }],
    ['gap', LOG.filter((_, at) => at !== 9), { seq: 10n }],
    ['gap', LOG.slice(3), { seq: 1n, message: 'the events of 1 to 3 are missing' }],
    ['gap', [...LOG.slice(0, 5), LOG[4]!, ...LOG.slice(5)], { seq: 5n }],
    ['version_order', LOG.filter((_, at) => at !== 9), { seq: 11n, version: 5 }],
    ['undecodable', changed(6, { type: 'JobPaused' }), { seq: 7n, version: 1 }],
    ['undecodable', changed(6, { schemaVersion: 9 }), { seq: 7n }],
    ['fold', changed(8, { type: 'JobSubmitted', data: LOG[0]!.data }), { seq: 9n, version: 3 }],
  ])('shows a fault of kind %s at its own event, case %#', async (fault, events, at) => {
    const { faults } = await verifySource(source(events));
    expect(faults).toContainEqual(expect.objectContaining({ fault, ...at }));
  });

  it('names every changed event, as it takes the stored chain as given', async () => {
    const twice = changed(3, { correlationId: 'x' }).map((event, at) => (at === 12 ? { ...event, fence: 9 } : event));
    const { faults } = await verifySource(source(twice), { fold: false });
    expect(faults.map(({ fault, seq }) => [fault, seq])).toEqual([
      ['hash', 4n],
      ['hash', 13n],
    ]);
  });

  it('shows by a head that its end was cut off, or that it is another log', async () => {
    const head = { seq: 18n, chain: LAST.chain! };
    expect((await verifySource(source(LOG), { head })).faults).toEqual([]);
    const cut = await verifySource(source(LOG.slice(0, 12)), { head });
    expect(cut.faults).toMatchObject([
      { fault: 'head', seq: 18n, message: expect.stringContaining('ends at seq 12') as string },
    ]);
    const other = await verifySource(source(LOG), { head: { seq: 6n, chain: Buffer.alloc(32, 1) } });
    expect(other.faults).toMatchObject([{ fault: 'head', seq: 6n }]);
  });

  it('shows a head before its beginning', async () => {
    const start = { seq: 6n, chain: LOG[5]!.chain! };
    const late = await verifySource(source(LOG.slice(6)), { start, head: { seq: 3n, chain: LOG[2]!.chain! } });
    expect(late.faults).toContainEqual(expect.objectContaining({ fault: 'head', seq: 3n }));
  });

  it('wants the payload or its digest where the source keeps digests', async () => {
    const { faults } = await verifySource(source(changed(4, { data: null })), { fold: false, hasDigests: true });
    expect(faults).toMatchObject([{ fault: 'hash', seq: 5n, message: expect.stringContaining('neither') as string }]);
  });

  it('takes an event whose payload was purged by order and type alone', async () => {
    const { faults, jobs, unfolded } = await verifySource(source(changed(4, { data: null })));
    expect(faults).toEqual([]);
    expect([jobs, unfolded]).toEqual([2, 1]);
  });

  it.each([
    ['{"seq":1', 'line 2 is not an event line: it is not JSON'],
    ['[1]', 'line 2 is not an event line: it is not a JSON object'],
    ['{"seq":1}', 'line 2 is not an event line: chain is missing'],
    [linesOf(LOG)[1]!.replace(/"job_id":"[^"]*"/, '"job_id":"x"'), 'job_id is not a UUID'],
    [linesOf(LOG)[1]!.replace('"version":2', '"version":2.5'), 'version is not a whole number'],
    [linesOf(LOG)[1]!.replace(/"recorded_at":"[^"]*"/, '"recorded_at":"yesterday"'), 'recorded_at is not an instant'],
  ])('refuses a line that is no event, case %#', async (line, message) => {
    const lines = new LinesSource(stream([linesOf(LOG)[0]!, line]));
    await expect(verifySource(lines)).rejects.toThrow(message);
  });
});
