import { newUuid } from '@heddle/contracts-messages';
import type { JobId } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';

/** Writes as a newer build would: an event of an unknown type, with all rows that belong to it. */
export async function writeNewerEvent({ owner }: TestDatabase, jobId: JobId): Promise<void> {
  await owner.query(
    `with job as (update jobs.job set version = version + 1 where id = $1 returning *),
          queue as (update jobs.queue set version = version + 1 where job_id = $1)
     insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence, data)
       select $2, id, version, 'JobNoted', 1, account_id, deployment_id, 0, convert_to('{"note":"new"}', 'UTF8') from job`,
    [jobId, newUuid()],
  );
}
