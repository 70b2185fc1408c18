import {
  createDeployment,
  DEPLOYMENT_EVENT_SCHEMA_VERSION,
  encodeDeploymentEvent,
  evolve,
  observe,
  uncreated,
} from '@heddle/deployments-domain';
import type { DeploymentDecision, DeploymentEvent, DeploymentState, Observation } from '@heddle/deployments-domain';
import { NIL_UUID } from '@heddle/contracts-messages';
import type pg from 'pg';
import { uuidText } from './mixed-numbers.ts';
import { deploymentOf } from './plan-job.ts';
import type { ServedTenant } from './served-tenant.ts';

interface PlannedDeployment {
  readonly id: string;
  readonly label: string;
  readonly state: DeploymentState;
  readonly events: readonly {
    readonly event: DeploymentEvent;
    readonly version: number;
    readonly at: string;
    readonly status: string;
  }[];
}

const DAY_MS = 86_400_000;
const START_MS = 20_000;
const SILENCE_MS = 30_000;

/** Another run on the same database finds its deployments there. Returns the new ones alone. */
const rowsSql = `
insert into deployments.deployment (deployment_id, label, stage, status, version, state)
select id, label, 'production', status, version, state from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::json[])
  as n (id, label, status, version, state)
on conflict do nothing returning deployment_id as id`;

const eventsSql = `
insert into deployments.event
  (event_id, stream_id, version, type, schema_version, account_id, deployment_id, is_terminal, recorded_at, data, status)
select gen_random_uuid(), id, version, type, ${DEPLOYMENT_EVENT_SCHEMA_VERSION}, '${NIL_UUID}', id, false, at, data, status
from unnest($1::uuid[], $2::int[], $3::text[], $4::timestamptz[], $5::bytea[], $6::text[])
  with ordinality as n (id, version, type, at, data, status, place)
order by place`;

/**
 * Writes the deployments beside the served one: created before the oldest job, open to all accounts, and without workers since
 * now, so that their jobs wait. Without effect on a surface that has no deployments.
 */
export async function writeDeployments(
  session: pg.Client,
  served: ServedTenant,
  {
    deployments,
    now,
    retentionMs,
  }: { readonly deployments: number; readonly now: number; readonly retentionMs: number },
): Promise<void> {
  if (served.revisionOfOthers === 0) return;
  const planned = Array.from({ length: deployments - 1 }, (_, n) =>
    plannedDeployment(n + 1, uuidText(deploymentOf(n + 1, served)), now - retentionMs - DAY_MS, now),
  );
  await session.query('begin');
  const { rows } = await session.query<{ id: string }>(rowsSql, [
    planned.map(({ id }) => id),
    planned.map(({ label }) => label),
    planned.map(({ state }) => state.status),
    planned.map(({ events }) => events.length),
    planned.map(({ state }) => JSON.stringify(state)),
  ]);
  const written = new Set(rows.map(({ id }) => id));
  const events = planned
    .filter(({ id }) => written.has(id))
    .flatMap(({ id, events }) => events.map((event) => ({ id, ...event })));
  await session.query(eventsSql, [
    events.map(({ id }) => id),
    events.map(({ version }) => version),
    events.map(({ event }) => event.type),
    events.map(({ at }) => at),
    events.map(({ event }) => Buffer.from(encodeDeploymentEvent(event))),
    events.map(({ status }) => status),
  ]);
  await session.query('commit');
}

function plannedDeployment(n: number, id: string, createdAt: number, now: number): PlannedDeployment {
  const label = `large-data-${n}`;
  const limits = { maxRuntimeS: null, jobRetentionS: null, queueDepth: null };
  const created = (state: DeploymentState): DeploymentDecision =>
    createDeployment(state, {
      label,
      stage: 'production',
      accountId: null,
      provider: 'external',
      options: { slots: 1, publicDemo: false, startDelayS: 0, limits },
      environment: {
        revision: 1,
        image: null,
        engine: 'builtin',
        engineVersion: null,
        packages: [],
        catalogueHash: null,
      },
      reason: 'created by the operator',
    });
  const steps: readonly (readonly [at: number, (state: DeploymentState, at: string) => DeploymentDecision])[] = [
    [createdAt, created],
    [createdAt, (state, at) => observe(state, seen(at, [], 0))],
    [createdAt + START_MS, (state, at) => observe(state, seen(at, [1], 0))],
    [now, (state, at) => observe(state, seen(at, [], SILENCE_MS))],
  ];
  let state: DeploymentState = uncreated;
  const events = steps.flatMap(([time, decide]) => {
    const at = new Date(time).toISOString();
    const decision = decide(state, at);
    if (!decision.ok) throw new Error(`${label}: ${decision.rejection}`);
    return decision.events.map((event) => {
      state = evolve(state, { event, recordedAt: at });
      return { event, at, version: state.status === 'uncreated' ? 0 : state.facts.version, status: state.status };
    });
  });
  return { id, label, state, events };
}

function seen(now: string, polling: readonly number[], silentMs: number): Observation {
  return {
    now,
    isTaken: true,
    polling: new Set(polling),
    silentMs,
    silenceMs: SILENCE_MS,
    repinTimeoutMs: DAY_MS,
    jobs: null,
    settleMs: 0,
  };
}
