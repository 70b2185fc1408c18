import type { ApiClient } from '../api/api-client.js';
import { orNamed } from '../api/api-error.js';
import { readJob } from '../api/wire.js';
import type { WireJob } from '../api/wire.js';
import { failed } from '../failure.js';

export async function fetchJob(client: ApiClient, id: string): Promise<WireJob> {
  return await askForJob(client, 'GET', id);
}

/** Calls a route of the job, or one below it, that answers with the job. */
export async function askForJob(client: ApiClient, method: 'GET' | 'POST', id: string, action = ''): Promise<WireJob> {
  const answer = client.json(method, `/api/v2/jobs/${id}${action}`);
  const job = readJob((await orNamed(answer, `no job ${id} here`, 'heddle jobs lists them')).body);
  if (job === null) throw failed('the service answered without a job; check --url');
  return job;
}
