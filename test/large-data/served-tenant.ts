import { DEFAULT_DEPLOYMENT, MANAGED_DEPLOYMENT_ID, SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import type pg from 'pg';
import { uuidBytes } from './mixed-numbers.ts';

/** Whom the surface of a database serves by default. */
export interface ServedTenant {
  readonly surface: 'self-hosted' | 'managed' | 'dedicated';
  readonly accountId: Buffer;
  readonly deploymentId: Buffer;
  /** Of the environment of its deployment; 0: it has none. */
  readonly revision: number;
  /** The other deployments have environments where the database knows deployments at all. */
  readonly revisionOfOthers: 0 | 1;
}

/** The account of the first key. */
const FIRST_ACCOUNT = 'default';

/** Reads from the schemas and rows which surface was started on this database. */
export async function servedTenant(session: pg.Client): Promise<ServedTenant> {
  const { accountId, deploymentId } = SELF_HOSTED_PRINCIPAL;
  if (!(await hasDeployments(session)))
    return {
      surface: 'self-hosted',
      accountId: uuidBytes(accountId),
      deploymentId: uuidBytes(deploymentId),
      revision: 0,
      revisionOfOthers: 0,
    };
  const accounts = await session.query<{ id: string }>(
    'select account_id as id from accounts.account where name = $1',
    [FIRST_ACCOUNT],
  );
  const { label, stage } = DEFAULT_DEPLOYMENT;
  const deployments = await session.query<{ id: string; revision: number }>(
    `select deployment_id as id, (state::jsonb #>> '{facts,environment,revision}')::int as revision
     from deployments.deployment where label = $1 and stage = $2`,
    [label, stage],
  );
  const everyHost = deployments.rows[0];
  return {
    surface: everyHost === undefined ? 'managed' : 'dedicated',
    accountId: uuidBytes(accounts.rows[0]?.id ?? accountId),
    deploymentId: uuidBytes(everyHost?.id ?? MANAGED_DEPLOYMENT_ID),
    revision: everyHost?.revision ?? 0,
    revisionOfOthers: 1,
  };
}

/** The self-hosted surface has no schema for deployments. */
async function hasDeployments(session: pg.Client): Promise<boolean> {
  const { rows } = await session.query<{ found: boolean }>(
    `select to_regclass('deployments.deployment') is not null and to_regclass('accounts.account') is not null as found`,
  );
  return rows[0]!.found;
}
