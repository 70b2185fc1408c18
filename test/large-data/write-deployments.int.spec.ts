import { ACCOUNTS_MIGRATIONS } from '@heddle/accounts';
import { ASSETS_MIGRATIONS } from '@heddle/assets';
import { MANAGED_DEPLOYMENT_ID } from '@heddle/contracts-messages';
import { DEPLOYMENTS_MIGRATIONS } from '@heddle/deployments';
import { decodeDeploymentEvent, fold } from '@heddle/deployments-domain';
import { JOBS_MIGRATIONS, JOBS_ROLE, verifyHistory } from '@heddle/jobs';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadLargeData } from './load.ts';

const JOBS = 1_000;
const DEPLOYMENTS = 12;
const ACCOUNT_ID = '0190a000-0000-7000-8000-0000000000aa';

describe('large data on a surface with deployments', () => {
  let db: TestDatabase;
  const rowsOf = async <Row extends object>(sql: string): Promise<Row[]> => (await db.owner.query<Row>(sql)).rows;
  const load = async (seed: number): Promise<void> => {
    const target = { url: db.ownerUrl, isServed: false, close: () => Promise.resolve() };
    const options = { jobs: JOBS, accounts: 40, deployments: DEPLOYMENTS, seed };
    await loadLargeData(target, options, { signal: new AbortController().signal, written: () => undefined });
  };

  beforeAll(async () => {
    const migrations = [JOBS_MIGRATIONS, ASSETS_MIGRATIONS, ACCOUNTS_MIGRATIONS, DEPLOYMENTS_MIGRATIONS];
    db = await freshDatabase({ migrations });
    await db.owner.query(
      `insert into accounts.account (account_id, name, created_at) values ('${ACCOUNT_ID}', 'default', now())`,
    );
    await load(5);
  });
  afterAll(async () => {
    await db.drop();
  });

  it('has a deployment with its log for each beside the served one, also after a second run', async () => {
    await load(6);
    const found = await rowsOf<{ id: string; label: string; status: string; version: number; state: unknown }>(
      'select deployment_id as id, label, status, version, state from deployments.deployment order by version, label',
    );
    expect(found.map(({ status }) => status)).toEqual(Array.from({ length: DEPLOYMENTS - 1 }, () => 'unavailable'));
    for (const { id, version, state } of found) {
      const events = await rowsOf<{ type: string; schema_version: number; data: Buffer; at: Date }>(
        `select type, schema_version, data, recorded_at as at from deployments.event where stream_id = '${id}' order by version`,
      );
      expect(events.length).toBe(version);
      expect(
        fold(
          events.map(({ type, schema_version: schema, data, at }) => ({
            event: decodeDeploymentEvent(type, schema, String(data)),
            recordedAt: at.toISOString(),
          })),
        ),
      ).toEqual(state);
    }
  });

  it('has jobs of these deployments alone, each on a revision of its deployment, in a log that verifies', async () => {
    expect(
      await rowsOf(`select distinct j.deployment_id from jobs.job j
        left join deployments.deployment d using (deployment_id) where d.deployment_id is null`),
    ).toEqual([{ deployment_id: MANAGED_DEPLOYMENT_ID }]);
    const submitted = await rowsOf(`select distinct deployment_id <> '${MANAGED_DEPLOYMENT_ID}' as dedicated,
        schema_version as schema, convert_from(data, 'UTF8')::json ->> 'revision' as revision,
        convert_from(data, 'UTF8')::json ->> 'surface' as surface
      from jobs.event where type = 'JobSubmitted' order by 1`);
    expect(submitted).toEqual([
      { dedicated: false, schema: 1, revision: null, surface: 'managed' },
      { dedicated: true, schema: 2, revision: '1', surface: 'managed' },
    ]);
    const wrongRevision = await rowsOf(
      `select from jobs.queue where revision <> (deployment_id <> '${MANAGED_DEPLOYMENT_ID}')::int`,
    );
    expect(wrongRevision).toEqual([]);
    expect(await verifyHistory(db.pool(JOBS_ROLE))).toMatchObject({ faults: [], readModel: 'equal' });
  });

  it('gives half of the jobs to the account of the first key', async () => {
    const [facts] = await rowsOf<{ share: number }>(
      `select avg((account_id = '${ACCOUNT_ID}')::int)::float8 as share from jobs.job`,
    );
    expect(facts!.share).toBeCloseTo(0.5, 1);
  });
});
