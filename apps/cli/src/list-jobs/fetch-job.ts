import type { ApiClient } from '../api/api-client.js';
import { readJob } from '../api/wire.js';
import type { WireJob } from '../api/wire.js';
import { failed } from '../failure.js';

export async function fetchJob(client: ApiClient, id: string): Promise<WireJob> {
  const job = readJob((await client.json('GET', `/api/v2/jobs/${id}`)).body);
  if (job === null) throw failed('the service answered without a job; check --url');
  return job;
}
