import type { ApiClient } from '../api/api-client.js';
import { isRecord, readJob } from '../api/wire.js';
import type { WireJob } from '../api/wire.js';
import { failed } from '../failure.js';

/** Maximum jobs per page of the list. */
const PAGE = 100;

/** At most `limit` jobs of a list, newest first; pages are requested on demand. */
export async function* jobPages(client: ApiClient, query: URLSearchParams, limit: number): AsyncGenerator<WireJob> {
  let left = limit;
  let cursor: string | null = null;
  do {
    query.set('limit', String(Math.min(PAGE, left)));
    if (cursor !== null) query.set('cursor', cursor);
    const { body } = await client.json('GET', `/api/v2/jobs?${query.toString()}`);
    if (!isRecord(body) || !Array.isArray(body['jobs']))
      throw failed('the service answered without a list; check --url');
    const jobs = (body['jobs'] as readonly unknown[]).map(readJob).filter((job) => job !== null);
    yield* jobs.slice(0, left);
    left -= jobs.length;
    const next: unknown = body['next_cursor'];
    // A cursor that does not advance would loop for ever.
    cursor = typeof next === 'string' && next !== cursor && jobs.length > 0 ? next : null;
  } while (cursor !== null && left > 0);
}
