import { RemoteJobs, serveJobs } from '@heddle/internal-api';
import type { JobsPorts } from '@heddle/internal-api';
import type { JobId, JobsPort } from '@heddle/contracts-messages';
import { newUuid, Secret } from '@heddle/contracts-messages';
import type { CallServer, ServiceClient } from '@heddle/platform-service-calls';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, listening } from './call-servers.js';
import { jobsDatabase, leasedBy, openJobs, someAccount, submissionOf } from './jobs-under-test.js';
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
    server = await listening((routes) => serveJobs(routes, ports(local)));
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
    const lease = await leasedBy(local.work, me, 'worker-a');
    expect(lease.credentials?.apiKey?.reveal()).toBe('canary-1');
    expect(lease.credentials?.authToken).toBeUndefined();
  });

  it('finds a submission again whose answer was lost, and never makes it twice', async () => {
    const me = someAccount();
    let submissions = 0;
    const dying = await listening((routes) =>
      serveJobs(routes, {
        ...ports(local),
        jobs: portOf(local.jobs, {
          submit: async (principal, submission) => {
            submissions += 1;
            await local.jobs.submit(principal, submission);
            await dying.close(0);
            return await new Promise(() => undefined);
          },
        }),
      }),
    );
    const both = clientOf('jobs', [server.url, dying.url]);
    const submission = submissionOf({ idempotencyKey: 'k-lost' });
    expect(await new RemoteJobs(both).submit(me, submission)).toMatchObject({
      ok: true,
      value: { id: submission.jobId },
    });
    expect(submissions).toBe(1);
    const query = { statuses: [], limit: 10, cursor: null, idempotencyKey: null, metadata: {} };
    const page = await local.jobs.list(me, query);
    expect(page.ok && page.value.jobs.map(({ id }) => id)).toEqual([submission.jobId]);
    await both.close();
  });

  it('says that it does not know where the answer was lost and no job is found', async () => {
    const dying = await listening((routes) =>
      serveJobs(routes, {
        ...ports(local),
        jobs: portOf(local.jobs, {
          submit: async () => {
            await dying.close(0);
            return await new Promise(() => undefined);
          },
        }),
      }),
    );
    const both = clientOf('jobs', [server.url, dying.url]);
    const submitting = new RemoteJobs(both).submit(someAccount(), submissionOf());
    await expect(submitting).rejects.toMatchObject({ name: 'ServiceAwayError', service: 'jobs', mayHaveActed: true });
    await both.close();
  });
});

function ports({ jobs }: JobsUnderTest): JobsPorts {
  return { jobs, peers: null, instanceId: 'one' };
}

/** The port with a method of a test laid over it. */
function portOf(jobs: JobsPort, over: Partial<JobsPort>): JobsPort {
  return {
    submit: (principal, submission) => jobs.submit(principal, submission),
    isKeyClaimed: (principal, key) => jobs.isKeyClaimed(principal, key),
    get: (principal, jobId) => jobs.get(principal, jobId),
    list: (principal, query) => jobs.list(principal, query),
    cancel: (principal, jobId) => jobs.cancel(principal, jobId),
    workflow: (principal, jobId) => jobs.workflow(principal, jobId),
    queuePositions: (jobIds) => jobs.queuePositions(jobIds),
    ...over,
  };
}
