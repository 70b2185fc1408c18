import { Inject, Injectable } from '@nestjs/common';
import { DEPLOYMENT_DIRECTORY } from '@heddle/contracts-messages';
import type { DeploymentFeed, DeploymentId, DirectoryChanges } from '@heddle/contracts-messages';
import type { CreatedDeployment } from '@heddle/deployments-domain';
import type { Pool } from 'pg';
import { DEPLOYMENTS_POOL } from '../deployments-pool.js';
import { directoryEntry } from '../show-deployments/deployment-view.js';
import { ChangeWaits } from './change-waits.js';
import type { MemoryDirectory } from './memory-directory.js';

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

/** Reads what changed. A call that waits ends with a change of this process's directory, which follows all replicas. */
@Injectable()
export class LocalFeed implements DeploymentFeed {
  readonly #waits = new ChangeWaits();

  constructor(
    @Inject(DEPLOYMENTS_POOL) private readonly pool: Pool,
    @Inject(DEPLOYMENT_DIRECTORY) directory: MemoryDirectory,
  ) {
    directory.onChanged(() => this.#waits.wake());
  }

  async changes(after: string | null, waitMs: number): Promise<DirectoryChanges> {
    // Before the read: a change that the read is too early for ends the wait.
    const wait = this.#waits.begin(waitMs);
    try {
      const changes = await this.#read(after);
      if (changes.entries.length > 0 || after === null) return changes;
      return (await wait.isChanged) ? await this.#read(changes.next) : changes;
    } finally {
      wait.end();
    }
  }

  /** No call waits from now on: a process that stops ends its calls. */
  release(): void {
    this.#waits.close();
  }

  async #read(after: string | null): Promise<DirectoryChanges> {
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
