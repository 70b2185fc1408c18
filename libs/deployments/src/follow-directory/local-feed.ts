import { Inject, Injectable } from '@nestjs/common';
import type { DeploymentFeed, DeploymentId, DirectoryChanges } from '@heddle/contracts-messages';
import type { CreatedDeployment } from '@heddle/deployments-domain';
import type { Pool } from 'pg';
import { DEPLOYMENTS_POOL } from '../deployments-pool.js';
import { directoryEntry } from '../show-deployments/deployment-view.js';

/**
 * Rows of transactions from $1 on, and the transaction from which to ask next: every one before it is over and was seen.
 * Nothing is missed, whatever the order of commits; rows beside an open transaction come again.
 */
const changedSql = `
select pg_snapshot_xmin(pg_current_snapshot())::text as next, d.deployment_id, d.state
from (select) as one left join deployments.deployment d on d.changed >= $1::xid8 and ($2 or d.status <> 'deleted')`;

interface ChangedRow {
  readonly next: string;
  readonly deployment_id: string | null;
  readonly state: CreatedDeployment | null;
}

@Injectable()
export class LocalFeed implements DeploymentFeed {
  constructor(@Inject(DEPLOYMENTS_POOL) private readonly pool: Pool) {}

  async changes(after: string | null): Promise<DirectoryChanges> {
    const from = after !== null && /^\d{1,20}$/.test(after) ? after : null;
    const { rows } = await this.pool.query<ChangedRow>({
      name: 'deployments.changed',
      text: changedSql,
      values: [from ?? '0', from !== null],
    });
    const entries = rows.flatMap(({ deployment_id: id, state }) =>
      id === null || state === null ? [] : [directoryEntry({ id: id as DeploymentId, state })],
    );
    return { entries, next: rows[0]?.next ?? '0' };
  }
}
