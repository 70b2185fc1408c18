import { NIL_UUID } from '@heddle/contracts-messages';

/** True if every job with an id from `p_from` up to `p_to` was purged. */
export const allPurgedSql = `
  not exists (select from jobs.job j where j.id < p_to and j.id >= coalesce(p_from, '${NIL_UUID}'))
  and not exists (select from jobs.queue q where q.job_id < p_to and q.job_id >= coalesce(p_from, '${NIL_UUID}'))`;
