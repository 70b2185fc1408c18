import { newUuid } from '@heddle/contracts-messages';
import type { JobId, LeaseAuthorityPort, Principal, WorkerLease } from '@heddle/contracts-messages';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** A jobs service of its own, or what stands for one. */
export interface LeaseAuthorityUnderTest {
  readonly authority: LeaseAuthorityPort;
  /** Leases a new job of this account to a worker. */
  lend(principal: Principal): Promise<WorkerLease & { readonly jobExpiresAt: string }>;
  /** The worker hands the job back, and another one leases it. */
  lendAgain(principal: Principal, lease: WorkerLease): Promise<WorkerLease>;
  /** The job ends. */
  end(lease: WorkerLease): Promise<void>;
  close(): Promise<void>;
}

/** Conformance suite of LeaseAuthorityPort. */
export function describeLeaseAuthority(name: string, open: () => Promise<LeaseAuthorityUnderTest>): void {
  describe(`the lease authority of ${name}`, () => {
    const alice = { accountId: newUuid(), deploymentId: newUuid() } as Principal;
    let under: LeaseAuthorityUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(async () => {
      await under.close();
    });

    it('names the account, the worker and the expiry of the job of a held lease', async () => {
      const { workerId, jobExpiresAt, ...lease } = await under.lend(alice);
      expect(await under.authority.holderOf(lease)).toEqual({ ...alice, workerId, jobExpiresAt });
    });

    it('names nobody for an unknown job and for another fence', async () => {
      const { jobId, fence } = await under.lend(alice);
      expect(await under.authority.holderOf({ jobId: newUuid() as JobId, fence })).toBeNull();
      expect(await under.authority.holderOf({ jobId, fence: fence + 1 })).toBeNull();
    });

    it('names nobody for a lease whose job went to another worker or has ended', async () => {
      const first = await under.lend(alice);
      const second = await under.lendAgain(alice, first);
      expect(await under.authority.holderOf(first)).toBeNull();
      expect(await under.authority.holderOf(second)).toMatchObject(alice);
      await under.end(second);
      // A caller in another process remembers an answer for 2 s.
      await expect.poll(() => under.authority.holderOf(second), { timeout: 10_000 }).toBeNull();
    });
  });
}
