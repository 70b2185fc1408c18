import type { ApiClient } from '../api/api-client.js';
import type { WireJob } from '../api/wire.js';
import { askForJob } from '../list-jobs/fetch-job.js';

export async function cancelJob(client: ApiClient, id: string): Promise<WireJob> {
  return await askForJob(client, 'POST', id, '/cancel');
}
