import type { NumberedEvent } from '@heddle/platform-event-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { interleavedJobs, jobId, linesOf } from '../logged-jobs.fixture.js';
import type { HistorySource } from './history-source.js';

export interface SourceUnderTest {
  /** The same log again: a source may be readable only once. */
  open(): HistorySource;
  /** False for a source that can be read once. */
  readonly canSearch: boolean;
  end(): Promise<void>;
}

const JOBS = 3;
/** No job's events follow each other, and the last event has no number yet. */
const LOG = interleavedJobs(JOBS).map((event, at, { length }) =>
  at === length - 1 ? { ...event, seq: null, chain: null } : event,
);
const NUMBERED = LOG.filter(({ seq }) => seq !== null);
const LAST = NUMBERED.at(-1)!.seq!;

/** The contract of every source of history; `make` stores these events where the source reads them. */
export function describeHistorySource(
  name: string,
  make: (events: readonly NumberedEvent[]) => Promise<SourceUnderTest>,
): void {
  describe(`the history ${name}`, () => {
    let under: SourceUnderTest;
    beforeAll(async () => {
      under = await make(LOG);
    });
    afterAll(() => under.end());

    it('gives the numbered events in the order of their numbers, whole as they were logged', async () => {
      const found = await allOf(under.open().events(0n));
      expect(linesOf(found)).toEqual(linesOf(NUMBERED));
    });

    it.each([1n, 7n, LAST - 1n])('gives only the events behind number %d', async (after) => {
      const found = await allOf(under.open().events(after));
      expect(found.map(({ seq }) => seq)).toEqual(NUMBERED.map(({ seq }) => seq).filter((seq) => seq! > after));
    });

    it('gives no event behind the last number, and no empty batch', async () => {
      for (const after of [LAST, LAST + 1n, 2n ** 63n - 1n]) {
        for await (const batch of under.open().events(after)) expect.unreachable(`${batch.length} events`);
      }
      for await (const batch of under.open().events(0n)) expect(batch).not.toEqual([]);
    });

    it('gives the events of one job in the order of their versions, also those without a number', async () => {
      for (let n = 0; n < JOBS; n += 1) {
        const own = LOG.filter(({ streamId }) => streamId === jobId(n));
        expect(linesOf(await under.open().eventsOf(jobId(n)))).toEqual(linesOf(own));
      }
      expect((await under.open().eventsOf(jobId(JOBS - 1))).at(-1)).toMatchObject({ version: 6, seq: null });
    });

    it('has no events of an unknown job', async () => {
      expect(await under.open().eventsOf(jobId(99))).toEqual([]);
    });

    it('names the newest jobs first, as many as asked for, unless it can be read only once', async () => {
      for (const limit of [1, 2, 100]) {
        const newest = [2, 1, 0].slice(0, limit).map(jobId);
        expect(await under.open().newestJobs(limit)).toEqual(under.canSearch ? newest : []);
      }
    });

    it('ends with the reason of an abort', async () => {
      const aborted = AbortSignal.abort(new Error('interrupted'));
      await expect(allOf(under.open().events(0n, aborted))).rejects.toThrow('interrupted');
    });

    it('has a name for messages', () => {
      expect(under.open().name).not.toBe('');
    });

    it('has nothing where nothing was logged', async () => {
      const empty = await make([]);
      try {
        expect(await allOf(empty.open().events(0n))).toEqual([]);
        expect(await empty.open().eventsOf(jobId(0))).toEqual([]);
        expect(await empty.open().newestJobs(10)).toEqual([]);
      } finally {
        await empty.end();
      }
    });
  });
}

async function allOf(batches: AsyncIterable<readonly NumberedEvent[]>): Promise<NumberedEvent[]> {
  const events: NumberedEvent[] = [];
  for await (const batch of batches) events.push(...batch);
  return events;
}
