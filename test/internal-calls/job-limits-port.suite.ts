import { newUuid } from '@heddle/contracts-messages';
import type { AccountId, AccountJobLimits, JobLimitsPort, Principal } from '@heddle/contracts-messages';
import { expect, it } from 'vitest';
import { leasedBy, someAccount, submissionOf, until } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';
import { workerOn } from './work-port.suite.js';

const NO_LIMITS: AccountJobLimits = { queueDepth: null, running: null };

/** JobLimitsPort, directly and over gRPC. `service`: the one that enforces the limits. */
export function itLimitsJobs(limits: () => JobLimitsPort, service: () => JobsUnderTest): void {
  async function submit(me: Principal): Promise<string> {
    const answer = await service().jobs.submit(me, submissionOf());
    return answer.ok ? 'accepted' : answer.rejection.code;
  }

  it('answers the open jobs of accounts, and leaves out accounts without any', async () => {
    const [me, nobody] = [someAccount(), someAccount()];
    for (let n = 0; n < 3; n += 1) await submit(me);
    await leasedBy(service().work, me, 'worker-a');
    const open = new Map([[me.accountId, { waiting: 2, running: 1 }]]);
    expect(await limits().openJobsOf([me.accountId, nobody.accountId])).toEqual(open);
    expect(await limits().openJobsOf([])).toEqual(new Map());
    const thousand = Array.from({ length: 1_000 }, () => newUuid() as AccountId);
    expect(await limits().openJobsOf(thousand)).toEqual(new Map());
  });

  it('limits the waiting jobs of an account, also to none, until there is no limit', async () => {
    const me = someAccount();
    await submit(me);
    await limits().limitAccount(me.accountId, { ...NO_LIMITS, queueDepth: 0 }, 1);
    expect(await submit(me)).toBe('queue_full');
    await limits().limitAccount(me.accountId, { ...NO_LIMITS, queueDepth: 2 }, 2);
    expect([await submit(me), await submit(me)]).toEqual(['accepted', 'queue_full']);
    await limits().limitAccount(me.accountId, NO_LIMITS, 3);
    expect(await submit(me)).toBe('accepted');
  });

  it('limits the running jobs of an account: a higher limit lets the next one start at once', async () => {
    const me = someAccount();
    await limits().limitAccount(me.accountId, { ...NO_LIMITS, running: 1 }, 1);
    const worker = workerOn(service().work, me.deploymentId);
    await submit(me);
    await submit(me);
    await worker.next();
    worker.session.offer(1);
    await worker.session.heartbeat([]);
    expect(worker.leases).toHaveLength(1);
    await limits().limitAccount(me.accountId, { ...NO_LIMITS, running: 2 }, 2);
    await until(() => Promise.resolve(worker.leases.length === 2), 'the second lease');
    await worker.session.close();
  });

  it('passes by a change that comes late, and takes one twice', async () => {
    const me = someAccount();
    await submit(me);
    for (let n = 0; n < 2; n += 1) await limits().limitAccount(me.accountId, { ...NO_LIMITS, queueDepth: 1 }, 7);
    await limits().limitAccount(me.accountId, NO_LIMITS, 6);
    expect(await submit(me)).toBe('queue_full');
  });
}
