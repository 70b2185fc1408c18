import { mkdir, rm } from 'node:fs/promises';
import { fetchSegment, type FetchedSegment, type StagingOptions, type SegmentRange } from './fetch-segment.js';
import type { ClientBase } from 'pg';

/**
 * The segments in order, each fetched while the one before is written: the database and the engine work at the same
 * time. At most two are in `staging`, which is made anew and removed at the end, also if the reader stops early.
 */
export async function* stagedSegments(
  client: ClientBase,
  ranges: Iterable<SegmentRange>,
  { staging, redact, signal }: StagingOptions,
): AsyncGenerator<FetchedSegment> {
  const left = new AbortController();
  const options = { staging, redact, signal: AbortSignal.any([signal, left.signal]) };
  const rest = ranges[Symbol.iterator]();
  const fetchNext = (): Promise<FetchedSegment> | null => {
    const { value: range, done } = rest.next();
    if (done === true) return null;
    const fetched = fetchSegment(client, range, options);
    // It is awaited later, or never.
    fetched.catch(() => undefined);
    return fetched;
  };
  // What a crash left.
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { mode: 0o700 });
  let next = fetchNext();
  try {
    while (next !== null) {
      const fetched = await next;
      next = fetchNext();
      yield fetched;
      await rm(fetched.folder, { recursive: true });
    }
  } finally {
    left.abort();
    // The connection is free, and nothing is written any more.
    await next?.catch(() => undefined);
    await rm(staging, { recursive: true, force: true });
  }
}
