import { Inject, Injectable } from '@nestjs/common';
import { newUuid, NIL_UUID } from '@heddle/contracts-messages';
import type { DeploymentId, DeploymentName } from '@heddle/contracts-messages';
import { DEPLOYMENT_EVENT_SCHEMA_VERSION, encodeDeploymentEvent, evolve, uncreated } from '@heddle/deployments-domain';
import type {
  CreatedDeployment,
  DeploymentDecision,
  DeploymentEvent,
  DeploymentRejection,
  DeploymentState,
} from '@heddle/deployments-domain';
import { inTransaction } from '@heddle/platform-database';
import type { Pool, PoolClient } from 'pg';
import { deploymentsFailpoint } from '../failpoints.js';
import { DEPLOYMENTS_POOL } from '../deployments-pool.js';
import {
  appendSql,
  changedSql,
  clockSql,
  findByNameSql,
  insertSql,
  liveSql,
  lockByIdSql,
  lockByNameSql,
  updateSql,
} from './deployment-rows.sql.js';
import type { ChangedRow, StateRow } from './deployment-rows.sql.js';

/** A deployment that is open to every account has events without one. */
const NO_ACCOUNT = NIL_UUID;

export interface StoredDeployment {
  readonly id: DeploymentId;
  readonly state: CreatedDeployment;
}

/** What changed since a transaction. */
export interface LogChanges {
  readonly deployments: readonly StoredDeployment[];
  /** From which to ask next. */
  readonly next: string;
  /** The database's time of the read. */
  readonly now: string;
}

export type CommitAnswer =
  | { readonly ok: true; readonly deployment: StoredDeployment; readonly events: readonly DeploymentEvent[] }
  | { readonly ok: false; readonly rejection: DeploymentRejection; readonly status: DeploymentState['status'] };

/** `now` is the database's time. */
type Decide = (state: DeploymentState, now: string) => DeploymentDecision;
type Committed = (deployment: StoredDeployment, events: readonly DeploymentEvent[]) => void;

/** The log of deployments and its read rows, which are written together. The lock on a row orders its commits. */
@Injectable()
export class DeploymentLog {
  readonly #subscribers = new Set<Committed>();

  constructor(@Inject(DEPLOYMENTS_POOL) private readonly pool: Pool) {}

  /** Called after each commit in this process. */
  onCommitted(subscriber: Committed): void {
    this.#subscribers.add(subscriber);
  }

  async create(name: DeploymentName, decide: Decide): Promise<CommitAnswer> {
    const id = newUuid() as DeploymentId;
    return await this.#commit(async (client) => {
      const { rows } = await client.query<{ now: string }>(clockSql);
      const now = rows[0]!.now;
      const decided = applied(uncreated, decide(uncreated, now), now);
      if (!decided.ok) return decided;
      const { state } = decided;
      const row = [id, name.label, name.stage, state.status, state.facts.version, JSON.stringify(state)];
      const inserted = await client.query(insertSql, row);
      if (inserted.rowCount === 0) return { ok: false, rejection: 'already_exists', status: 'uncreated' };
      await append(client, id, decided);
      return { ok: true, deployment: { id, state }, events: decided.steps.map(({ event }) => event) };
    });
  }

  async change(named: DeploymentName | DeploymentId, decide: Decide): Promise<CommitAnswer> {
    return await this.#commit(async (client) => {
      const { rows } =
        typeof named === 'string'
          ? await client.query<StateRow>(lockByIdSql, [named])
          : await client.query<StateRow>(lockByNameSql, [named.label, named.stage]);
      const row = rows[0];
      if (row === undefined) return { ok: false, rejection: 'not_found', status: 'uncreated' };
      const decided = applied(row.state, decide(row.state, row.now), row.now);
      if (!decided.ok) return decided;
      const { state, steps } = decided;
      const id = row.deployment_id as DeploymentId;
      if (steps.length > 0) {
        await append(client, id, decided);
        await client.query(updateSql, [id, state.status, state.facts.version, JSON.stringify(state)]);
      }
      return { ok: true, deployment: { id, state }, events: steps.map(({ event }) => event) };
    });
  }

  async find({ label, stage }: DeploymentName): Promise<StoredDeployment | null> {
    const { rows } = await this.pool.query<StateRow>(findByNameSql, [label, stage]);
    return rows[0] === undefined ? null : stored(rows[0]);
  }

  /** All that are not deleted, by label and stage. */
  async live(): Promise<readonly StoredDeployment[]> {
    return (await this.pool.query<StateRow>(liveSql)).rows.map(stored);
  }

  /** Those that changed since `after`, the `next` of an answer before; null: all that are not deleted. */
  async changes(after: string | null): Promise<LogChanges> {
    const from = after !== null && /^\d{1,20}$/.test(after) ? after : null;
    // An unnamed statement: PostgreSQL must plan it for this value, because few rows are newer.
    const { rows } = await this.pool.query<ChangedRow>(changedSql, [from ?? '0', from !== null]);
    const deployments = rows.flatMap(({ deployment_id: id, state }) =>
      id === null || state === null ? [] : [{ id: id as DeploymentId, state }],
    );
    // One row at least: it has the transaction and the time.
    const { next, now } = rows[0]!;
    return { deployments, next, now };
  }

  async #commit(work: (client: PoolClient) => Promise<CommitAnswer>): Promise<CommitAnswer> {
    const answer = await inTransaction(this.pool, async (client) => {
      const decided = await work(client);
      if (decided.ok && decided.events.length > 0) deploymentsFailpoint('deployments.change.before-commit');
      return decided;
    });
    if (!answer.ok || answer.events.length === 0) return answer;
    deploymentsFailpoint('deployments.change.after-commit');
    for (const subscriber of this.#subscribers) subscriber(answer.deployment, answer.events);
    return answer;
  }
}

function stored({ deployment_id: id, state }: Pick<StateRow, 'deployment_id' | 'state'>): StoredDeployment {
  return { id: id as DeploymentId, state };
}

interface Decided {
  readonly ok: true;
  readonly state: CreatedDeployment;
  readonly now: string;
  readonly steps: readonly { readonly event: DeploymentEvent; readonly status: string }[];
}

function applied(
  before: DeploymentState,
  decision: DeploymentDecision,
  now: string,
): Decided | Extract<CommitAnswer, { ok: false }> {
  if (!decision.ok) return { ...decision, status: before.status };
  let state = before;
  const steps = decision.events.map((event) => {
    state = evolve(state, { event, recordedAt: now });
    return { event, status: state.status };
  });
  if (state.status === 'uncreated') return { ok: false, rejection: 'not_found', status: 'uncreated' };
  return { ok: true, state, now, steps };
}

async function append(client: PoolClient, id: DeploymentId, { state, now, steps }: Decided): Promise<void> {
  await client.query(appendSql, [
    id,
    state.facts.version - steps.length,
    steps.map(({ event }) => event.type),
    steps.map(({ event }) => Buffer.from(encodeDeploymentEvent(event))),
    DEPLOYMENT_EVENT_SCHEMA_VERSION,
    state.facts.accountId ?? NO_ACCOUNT,
    now,
    steps.map(({ status }) => status),
  ]);
}
