import { BackgroundLogger } from '@heddle/platform-database';
import { JOB_LOG_PORT, LEASE_AUTHORITY_PORT, newUuid } from '@heddle/contracts-messages';
import type { JobId, JobLogPort, LeaseAuthorityPort } from '@heddle/contracts-messages';
import { describeJobLog, describeLeaseAuthority } from '@heddle/testing-jobs';
import { AgeLog } from './age-log/age-log.js';
import { LogCheckpoints } from './age-log/log-checkpoints.js';
import {
  leased,
  openDatabase,
  openJobs,
  outputOf,
  reportOf,
  someAccount,
  submissionOf,
  submitted,
  succeeded,
  until,
  valueOf,
} from './jobs-under-test/open-jobs.fixture.js';
import { JobPurger } from './purge-jobs/job-purger.js';
import { JobsSettings } from './settings.js';

const DAY_MS = 86_400_000;
const RETENTION_MS = 1_000_000;
/** The clock moves by weeks; no deadline of the service may add an event. */
const PATIENT = {
  retentionMs: RETENTION_MS,
  leaseMs: 400 * DAY_MS,
  maxRuntimeMs: 400 * DAY_MS,
  sweepIntervalMs: DAY_MS,
};

describeJobLog('the jobs service', async () => {
  const db = await openDatabase();
  const one = await openJobs(db, PATIENT);
  const me = someAccount();
  const pool = db.pool('heddle_jobs');
  const log = new BackgroundLogger(null);
  const ageLog = new AgeLog(pool, new LogCheckpoints(pool, null, log), new JobsSettings({ checkpointMs: 0 }), log);
  const allRelayed = async (): Promise<void> => {
    await until(async () => {
      const { rows } = await db.owner.query<{ done: boolean }>(
        `select (select count(*) from jobs.event) = c.seq
            and coalesce((select min(seq) from jobs.relay_cursor), 0) = c.seq as done
           from jobs.seq_cursor c`,
      );
      return rows[0]!.done;
    }, 'every event is numbered and relayed');
  };
  return {
    jobLog: one.get<JobLogPort>(JOB_LOG_PORT),
    submit: async () => (await submitted(one, me)).id as JobId,
    end: async () => {
      const lease = await leased(one, me);
      const output = outputOf('9/0/0');
      await one.leases.ingest([
        reportOf(lease, 1, { kind: 'output_committed', output }),
        reportOf(lease, 2, succeeded),
      ]);
      return output.assetId;
    },
    purge: async () => {
      await db.advanceClock(RETENTION_MS);
      await one.get(JobPurger).run();
    },
    detach: async () => {
      await allRelayed();
      await ageLog.run();
      // The log ages up to its newest events: those of a job of a later partition.
      const jobId = newUuid(Date.now() + 12 * DAY_MS) as JobId;
      valueOf(await one.jobs.submit(me, submissionOf({ jobId })));
      await allRelayed();
      await db.advanceClock(20 * DAY_MS);
      await until(async () => await ageLog.run(), 'the partition is detached');
    },
    close: async () => {
      await one.close();
      await db.drop();
    },
  };
});

describeLeaseAuthority('the jobs service', async () => {
  const db = await openDatabase();
  const one = await openJobs(db, PATIENT);
  return {
    authority: one.get<LeaseAuthorityPort>(LEASE_AUTHORITY_PORT),
    lend: async (principal) => {
      await submitted(one, principal);
      const { jobId, fence, workerId, jobExpiresAt } = await leased(one, principal);
      return { jobId, fence, workerId, jobExpiresAt };
    },
    lendAgain: async (principal, { workerId, ...lease }) => {
      await one.leases.handBack(workerId, lease);
      return await leased(one, principal);
    },
    end: async (lease) => {
      await one.leases.ingest([{ ...lease, sequence: 1, ...succeeded }]);
    },
    close: async () => {
      await one.close();
      await db.drop();
    },
  };
});
