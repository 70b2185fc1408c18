import { secondAt, Story } from '@heddle/testing-decisions';
import type { DeploymentCreated, DeploymentEvent, Environment, Options } from './deployment.events.js';
import { changeOptions, createDeployment, deleteDeployment, drain, pause, repin, resume, start } from './deployment.js';
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

const because = { reason: 'why' };

export const noDeployment = new Story<DeploymentState, DeploymentEvent>(
  (state, event, recordedAt) => evolve(state, { event, recordedAt }),
  uncreated,
);

export const STARTING: DeploymentEvent = { type: 'DeploymentStarting', data: because };
export const READY: DeploymentEvent = { type: 'DeploymentReady', data: because };
export const SILENT: DeploymentEvent = { type: 'DeploymentUnavailable', data: because };
export const PAUSED: DeploymentEvent = { type: 'DeploymentPaused', data: because };
export const RESUMED: DeploymentEvent = { type: 'DeploymentResumed', data: because };
export const DRAINED: DeploymentEvent = { type: 'DrainRequested', data: because };
export const STOPPED: DeploymentEvent = { type: 'DeploymentStopped', data: because };
export const STARTED: DeploymentEvent = { type: 'StartRequested', data: because };
export const DELETED: DeploymentEvent = { type: 'DeploymentDeleted', data: because };
export const repinned = (revision: number, spec = pinned): DeploymentEvent => ({
  type: 'RepinRequested',
  data: { environment: { ...spec, revision } },
});
export const activated = (revision: number): DeploymentEvent => ({ type: 'RevisionActivated', data: { revision } });

export const aNewDeployment = noDeployment.and({ type: 'DeploymentCreated', data: creation });
export const aStartingDeployment = aNewDeployment.and(STARTING);
export const aReadyDeployment = aStartingDeployment.and(READY);
export const aSilentDeployment = aReadyDeployment.and(SILENT);
export const aPausedDeployment = aReadyDeployment.and(PAUSED);
export const aDrainingDeployment = aReadyDeployment.and(DRAINED);
export const aStoppedDeployment = aDrainingDeployment.and(STOPPED);
export const aDeletedDeployment = aStoppedDeployment.and(DELETED);

export const STORIES: Readonly<Record<DeploymentState['status'] | 'paused', Story<DeploymentState, DeploymentEvent>>> =
  {
    uncreated: noDeployment,
    provisioning: aNewDeployment,
    starting: aStartingDeployment,
    ready: aReadyDeployment,
    unavailable: aSilentDeployment,
    paused: aPausedDeployment,
    draining: aDrainingDeployment,
    stopped: aStoppedDeployment,
    deleted: aDeletedDeployment,
  };

/** What was seen an hour later: nobody polls, nobody is missed, and no job is left. */
export function seen(changes: Partial<Observation> = {}): Observation {
  return {
    now: secondAt(3600),
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

/** Each command, also where it asks for what is so already. */
export const COMMANDS: Readonly<Record<string, (state: DeploymentState) => DeploymentDecision>> = {
  create: (state) => createDeployment(state, creation),
  set: (state) => changeOptions(state, { ...options, slots: 2 }),
  'set, the same': (state) => changeOptions(state, options),
  repin: (state) => repin(state, pinned),
  'repin, the same': (state) => repin(state, first),
  pause,
  resume: (state) => resume(state, false),
  'resume, polled': (state) => resume(state, true),
  drain,
  start,
  delete: (state) => deleteDeployment(state, false),
  'delete, with jobs': (state) => deleteDeployment(state, true),
};
