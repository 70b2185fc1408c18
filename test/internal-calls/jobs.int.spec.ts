import { RemoteJobs, serveJobs } from '@heddle/internal-api';
import type { JobId, JobsPort } from '@heddle/contracts-messages';
import { newUuid, Secret } from '@heddle/contracts-messages';
import type { CallServer, ServiceClient } from '@heddle/platform-service-calls';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, listening } from './call-servers.js';
import { jobsDatabase, leaseRequest, openJobs, someAccount, submissionOf } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';

describe('the jobs service over the wire', () => {
  let db: TestDatabase;
  let local: JobsUnderTest;
  let server: CallServer;
  let client: ServiceClient;
  let jobs: JobsPort;
  beforeAll(async () => {
    db = await jobsDatabase();
    local = await openJobs(db);
    server = await listening((routes) => serveJobs(routes, { ...local, peers: null, instanceId: 'one' }));
    client = clientOf('jobs', [server.url]);
    jobs = new RemoteJobs(client);
  });
  afterAll(async () => {
    await client.close();
    await server.close();
    await local.close();
    await db.drop();
  });

  it('takes a submission and answers reads as the service itself does', async () => {
    const me = someAccount();
    const submission = submissionOf({
      metadata: { project: 'loom', __proto__x: 'é\ud83c\udf9e' },
      idempotencyKey: 'k-1',
    });
    const answer = await jobs.submit(me, submission);
    expect(answer).toMatchObject({ ok: true, value: { id: submission.jobId, status: 'queued', queuePosition: 1 } });
    expect(await jobs.get(me, submission.jobId)).toEqual(await local.jobs.get(me, submission.jobId));
    expect(await jobs.submit(me, submissionOf({ idempotencyKey: 'k-1' }))).toMatchObject({
      ok: false,
      rejection: { code: 'idempotency_key_reuse' },
    });
    expect([await jobs.isKeyClaimed(me, 'k-1'), await jobs.isKeyClaimed(me, 'k-2')]).toEqual([true, false]);
    expect(await jobs.queuePositions([submission.jobId, newUuid() as JobId])).toEqual(new Map([[submission.jobId, 1]]));
    const query = { statuses: [], limit: 10, cursor: null, idempotencyKey: null, metadata: {} };
    expect(await jobs.list(me, query)).toEqual(await local.jobs.list(me, query));
    const workflow = await jobs.workflow(me, submission.jobId);
    expect(workflow.ok && Buffer.from(workflow.value).equals(submission.workflow as Buffer)).toBe(true);
    expect(await jobs.cancel(me, submission.jobId)).toMatchObject({ ok: true, value: { status: 'canceled' } });
    const strange = someAccount();
    expect(await jobs.get(strange, submission.jobId)).toEqual(await local.jobs.get(strange, submission.jobId));
    expect(await jobs.workflow(strange, submission.jobId)).toMatchObject({
      ok: false,
      rejection: { code: 'not_found' },
    });
  });

  it('hands partner credentials on, wrapped at both ends', async () => {
    const me = someAccount();
    const credentials = { apiKey: new Secret('canary-1') };
    expect(await jobs.submit(me, submissionOf({ credentials }))).toMatchObject({ ok: true });
    const [lease] = await local.leases.acquire(leaseRequest(me), new AbortController().signal);
    expect(lease?.credentials?.apiKey?.reveal()).toBe('canary-1');
    expect(lease?.credentials?.authToken).toBeUndefined();
  });
});
