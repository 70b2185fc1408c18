import type { ApiClient } from '../api/api-client.js';
import { readJob } from '../api/wire.js';
import type { WireJob } from '../api/wire.js';
import { failed, wrongUsage } from '../failure.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The one job that a command is about; a wrong id is found before anything is sent. */
export function oneJobId(words: readonly string[], command: string): string {
  const [id, ...rest] = words;
  if (id === undefined || rest.length > 0)
    throw wrongUsage(`${command} takes one job`, `heddle ${command} JOB; heddle jobs lists them`);
  if (!UUID.test(id)) throw wrongUsage(`"${id}" is no job id`, 'heddle jobs lists the jobs');
  return id.toLowerCase();
}

export async function fetchJob(client: ApiClient, id: string): Promise<WireJob> {
  const job = readJob((await client.json('GET', `/api/v2/jobs/${id}`)).body);
  if (job === null) throw failed('the service answered without a job; check --url');
  return job;
}
