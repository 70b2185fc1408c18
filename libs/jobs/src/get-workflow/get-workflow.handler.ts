import { Inject, Injectable } from '@nestjs/common';
import { accepted, isUuid, notFound } from '@heddle/contracts-messages';
import type { Answer, JobId, Principal } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JOBS_READS } from '../jobs-connections.js';

const getWorkflowSql = `
-- Bytes would come as hexadecimal digits, at twice the time of the processor.
select encode(w.bytes, 'base64') as base64
from jobs.job j join jobs.workflow w on w.hash = j.workflow_hash
where j.id = $1 and j.account_id = $2 and j.deployment_id = $3 and j.expires_at > heddle.clock_now()`;

/** GET /api/v2/jobs/{id}/workflow: the bytes as submitted. */
@Injectable()
export class GetWorkflowHandler {
  constructor(@Inject(JOBS_READS) private readonly pool: Pool) {}

  async handle(principal: Principal, jobId: JobId): Promise<Answer<Uint8Array>> {
    if (!isUuid(jobId)) return notFound();
    const { rows } = await this.pool.query<{ base64: string }>({
      name: 'get-workflow',
      text: getWorkflowSql,
      values: [jobId, principal.accountId, principal.deploymentId],
    });
    const base64 = rows[0]?.base64;
    return base64 === undefined ? notFound() : accepted(Buffer.from(base64, 'base64'));
  }
}
