import type { DeploymentCreated, DeploymentEvent, Environment, Options } from './deployment.events.js';
import type { DeploymentDecision, Observation } from './deployment.js';
import { evolve } from './evolve.js';
import { uncreated } from './deployment.state.js';
import type { DeploymentState } from './deployment.state.js';

export const options: Options = {
  slots: 1,
  publicDemo: false,
  startDelayS: 0,
  limits: { maxRuntimeS: null, jobRetentionS: null, queueDepth: null },
};

type PinnedSpec = Omit<Environment, 'revision'>;

export const first: PinnedSpec = {
  image: null,
  engine: 'builtin',
  engineVersion: null,
  packages: [],
  catalogueHash: null,
};

export const pinned: PinnedSpec = { ...first, engineVersion: '2' };

export const creation: DeploymentCreated['data'] = {
  label: 'alpha',
  stage: 'production',
  accountId: null,
  provider: 'external',
  options,
  environment: { ...first, revision: 1 },
  reason: 'created by the operator',
};

export const because = { reason: 'why' };

export const timeAt = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

/** One event a second from 2026-01-01T00:00:00Z. */
export function after(...events: readonly DeploymentEvent[]): DeploymentState {
  return events.reduce<DeploymentState>(
    (state, event, second) => evolve(state, { event, recordedAt: timeAt(second) }),
    uncreated,
  );
}

const created: DeploymentEvent = { type: 'DeploymentCreated', data: creation };
const starting: DeploymentEvent = { type: 'DeploymentStarting', data: because };
const ready: DeploymentEvent = { type: 'DeploymentReady', data: because };
const drained: DeploymentEvent = { type: 'DrainRequested', data: because };
const stopped: DeploymentEvent = { type: 'DeploymentStopped', data: because };

export const STORIES: Readonly<Record<string, readonly DeploymentEvent[]>> = {
  uncreated: [],
  provisioning: [created],
  starting: [created, starting],
  ready: [created, starting, ready],
  unavailable: [created, starting, ready, { type: 'DeploymentUnavailable', data: because }],
  paused: [created, starting, ready, { type: 'DeploymentPaused', data: because }],
  draining: [created, starting, ready, drained],
  stopped: [created, drained, stopped],
  deleted: [created, drained, stopped, { type: 'DeploymentDeleted', data: because }],
};

export function seen(changes: Partial<Observation> = {}): Observation {
  return {
    now: timeAt(3600),
    isTaken: false,
    polling: new Set(),
    silentMs: 0,
    silenceMs: 30_000,
    repinTimeoutMs: 600_000,
    jobs: new Set(),
    settleMs: 2_000,
    ...changes,
  };
}

export function apply(state: DeploymentState, decision: DeploymentDecision, second = 100): DeploymentState {
  const events = decision.ok ? decision.events : [];
  return events.reduce<DeploymentState>((now, event) => evolve(now, { event, recordedAt: timeAt(second) }), state);
}
