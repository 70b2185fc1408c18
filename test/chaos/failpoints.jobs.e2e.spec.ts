import { JOBS_FAILPOINTS } from '@heddle/jobs';
import { expect } from 'vitest';
import { runCli } from '../scenarios/run-cli.ts';
import { KEY_FOR_TESTS } from '../security/keyed-heddle.ts';
import { ownerPool } from './examine.ts';
import { describeFailpoints } from './failpoint-cases.ts';
import type { HeddleUnderFire } from './heddle-under-fire.ts';

/** On managed with a price: every submission reserves in its own statement, and every end settles in its own. */
describeFailpoints(
  'jobs',
  JOBS_FAILPOINTS,
  { operations: 160, uploads: 0.1, cancels: 0.15 },
  {
    settings: {
      HEDDLE_SURFACE: 'managed',
      HEDDLE_BOOTSTRAP_KEY: KEY_FOR_TESTS,
      // Deleted bytes outlive the URLs that lead to them.
      HEDDLE_SIGNED_URL_S: '60',
      HEDDLE_BLOB_GRACE_S: '960',
    },
    prepare: async (heddle) => {
      await operator(heddle, 'credits price managed --per-job 3 --per-second 0.5');
      await operator(heddle, 'credits grant default 1000000000');
    },
    afterwards: async (heddle) => {
      expect(await operator(heddle, 'credits check')).toMatchObject({ problems: [] });
      expect(await entriesOf(heddle)).toEqual({ unlike: 0 });
    },
  },
);

/** `credits check` ends with 1 if it finds a problem. */
async function operator({ dataDir }: HeddleUnderFire, command: string): Promise<unknown> {
  const { code, err, lines } = await runCli([...command.split(' '), '--json'], { HEDDLE_DATA: dataDir });
  expect({ command, code, err }).toEqual({ command, code: 0, err: '' });
  return lines()[0];
}

/** Ended jobs without exactly one reserve and one settle entry. */
async function entriesOf({ dataDir }: HeddleUnderFire): Promise<unknown> {
  const owner = ownerPool(dataDir);
  try {
    const { rows } = await owner.query(`select count(*)::int as unlike from jobs.job j where 1 <> (
        select count(*) from jobs.ledger l where l.job_id = j.id and l.kind = 'reserve') or 1 <> (
        select count(*) from jobs.ledger l where l.job_id = j.id and l.kind = 'settle')`);
    return rows[0];
  } finally {
    await owner.end();
  }
}
