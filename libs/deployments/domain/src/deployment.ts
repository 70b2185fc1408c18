// A deployment is where jobs of one environment run. These decisions protect its life: its name is never given again, no
// revision retires and no deployment stops while jobs of it may still come or have not ended, only a stopped one is
// deleted, and `unavailable` is reached from `ready` alone. Diagram: docs/architecture/15-deployments.md.

import { alreadySo, append, reject } from '@heddle/decision';
import type { Decision } from '@heddle/decision';
import type { DeploymentCreated, DeploymentEvent, Environment, Options } from './deployment.events.js';
import type { CreatedDeployment, DeploymentFacts, DeploymentState, LiveDeployment } from './deployment.state.js';
import { millisecondsBetween } from './milliseconds-between.js';
import { pollsReason } from './polls-reason.js';

/** `already_exists`: the name is taken, for ever. `wrong_status`: not in this status. `has_jobs`: jobs have not ended. */
export type DeploymentRejection = 'already_exists' | 'not_found' | 'wrong_status' | 'has_jobs';

export type DeploymentDecision = Decision<DeploymentEvent, DeploymentRejection>;

type PinnedSpec = Omit<Environment, 'revision'>;

const wrongStatus = reject('wrong_status');

export function createDeployment(state: DeploymentState, data: DeploymentCreated['data']): DeploymentDecision {
  return state.status === 'uncreated' ? append({ type: 'DeploymentCreated', data }) : reject('already_exists');
}

export function changeOptions(state: DeploymentState, options: Options): DeploymentDecision {
  return ofLive(state, ({ facts }) =>
    sameOptions(facts.options, options) ? alreadySo : append({ type: 'OptionsChanged', data: { options } }),
  );
}

/** Only what has started can be paused: `unavailable` is reached from `ready` alone. */
export function pause(state: DeploymentState): DeploymentDecision {
  return ofLive(state, ({ status, facts }) => {
    if (status !== 'ready' && status !== 'unavailable') return wrongStatus;
    return facts.isPaused
      ? alreadySo
      : append({ type: 'DeploymentPaused', data: { reason: 'paused by the operator' } });
  });
}

/** `polls`: a worker of the current revision polls now. */
export function resume(state: DeploymentState, polls: boolean): DeploymentDecision {
  return ofLive(state, ({ status, facts }) => {
    if (status !== 'ready' && status !== 'unavailable') return wrongStatus;
    if (!facts.isPaused) return alreadySo;
    const reason = polls ? 'resumed by the operator' : 'resumed by the operator; no worker polls yet';
    const ready = polls ? [{ type: 'DeploymentReady', data: { reason } } as const] : [];
    return append<DeploymentEvent>({ type: 'DeploymentResumed', data: { reason } }, ...ready);
  });
}

/** Lifts a pause, so that waiting jobs can end, and gives up a re-pin. */
export function drain(state: DeploymentState): DeploymentDecision {
  return ofLive(state, ({ status, facts }) => {
    if (status === 'draining' || status === 'stopped') return alreadySo;
    const request = { type: 'DrainRequested', data: { reason: 'drained by the operator' } } as const;
    return append(...abandoned(facts, 'the deployment is drained'), request);
  });
}

/** Does not end a pause: only the command `resume` does. */
export function start(state: DeploymentState): DeploymentDecision {
  return ofLive(state, ({ status, facts }) => {
    if (status === 'draining' || status === 'stopped')
      return append({ type: 'StartRequested', data: { reason: 'started by the operator' } });
    return facts.isPaused ? wrongStatus : alreadySo;
  });
}

export function deleteDeployment(state: DeploymentState, hasJobs: boolean): DeploymentDecision {
  return ofLive(state, ({ status }) => {
    if (hasJobs) return reject('has_jobs');
    if (status !== 'stopped') return wrongStatus;
    return append({ type: 'DeploymentDeleted', data: { reason: 'deleted by the operator' } });
  });
}

/**
 * A newer re-pin replaces one in progress, and the current environment ends it. The environment that is already pinned makes no
 * revision. A stopped deployment has no workers: it takes the revision at once.
 */
export function repin(state: DeploymentState, pinned: PinnedSpec): DeploymentDecision {
  return ofLive(state, ({ status, facts }) => {
    if (status === 'draining') return wrongStatus;
    if (facts.next !== null && isSame(facts.next.environment, pinned)) return alreadySo;
    if (isSame(facts.environment, pinned))
      return append(...abandoned(facts, `revision ${facts.environment.revision} was pinned again`));
    const revision = facts.lastRevision + 1;
    const request = { type: 'RepinRequested', data: { environment: { ...pinned, revision } } } as const;
    const superseded = abandoned(facts, `revision ${revision} was pinned`);
    return status === 'stopped'
      ? append(...superseded, request, { type: 'RevisionActivated', data: { revision } })
      : append(...superseded, request);
  });
}

/** What was seen of the workers and jobs of a deployment. */
export interface Observation {
  /** Its time is the database's. */
  readonly now: string;
  /** The provider has taken the start of the current revision. */
  readonly isTaken: boolean;
  /** Revisions of which a worker polls. */
  readonly polling: ReadonlySet<number>;
  /** How long no worker of the current revision has polled. */
  readonly silentMs: number;
  readonly silenceMs: number;
  readonly repinTimeoutMs: number;
  /** Revisions of jobs that have not ended; null: unknown now, or more of them may be accepted. */
  readonly jobs: ReadonlySet<number> | null;
  /** How long a gateway may not know of a drain or of a new revision: jobs may still arrive. */
  readonly settleMs: number;
}

/** The next steps in the life of a deployment that need no command. */
export function observe(state: DeploymentState, seen: Observation): DeploymentDecision {
  return ofLive(state, (deployment) => append(...revisionSteps(deployment, seen), ...statusSteps(deployment, seen)));
}

/**
 * False: while these revisions poll and no command arrives, `observe` takes no step, however much time passes and whichever jobs
 * end. Such a deployment need not be observed.
 */
export function mayStep(state: DeploymentState, polling: ReadonlySet<number>): boolean {
  if (state.status === 'uncreated' || state.status === 'deleted') return false;
  const { status, facts } = state;
  if (facts.next !== null || facts.retiring.length > 0) return true;
  const polls = polling.has(facts.environment.revision);
  switch (status) {
    case 'provisioning':
    case 'draining':
      return true;
    case 'starting':
      return polls;
    case 'unavailable':
      return polls && !facts.isPaused;
    case 'ready':
      return !polls;
    case 'stopped':
      return false;
  }
}

/** It takes no job only because no worker of its current revision polls. */
export function awaitsWorker({ status, facts }: CreatedDeployment): boolean {
  return status === 'provisioning' || status === 'starting' || (status === 'unavailable' && !facts.isPaused);
}

/** Median of its last starts in seconds; null before the first one. */
export function coldStartS({ starts }: DeploymentFacts): number | null {
  if (starts.length === 0) return null;
  const sorted = [...starts].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return median / 1000;
}

type Deciding = (deployment: LiveDeployment) => DeploymentDecision;

function ofLive(state: DeploymentState, decide: Deciding): DeploymentDecision {
  return state.status === 'uncreated' || state.status === 'deleted' ? reject('not_found') : decide(state);
}

function revisionSteps({ status, facts }: LiveDeployment, seen: Observation): readonly DeploymentEvent[] {
  const { jobs } = seen;
  const isSettled = millisecondsBetween(facts.activatedAt, seen.now) >= seen.settleMs;
  const retired =
    jobs === null || !isSettled
      ? []
      : facts.retiring
          .filter(({ revision }) => !jobs.has(revision))
          .map(({ revision }) => ({ type: 'RevisionRetired', data: { revision } }) as const);
  if (facts.next === null || status === 'draining') return retired;
  const { environment, requestedAt } = facts.next;
  const { revision } = environment;
  if (seen.polling.has(revision)) return [...retired, { type: 'RevisionActivated', data: { revision } }];
  if (millisecondsBetween(requestedAt, seen.now) < seen.repinTimeoutMs) return retired;
  const seconds = seen.repinTimeoutMs / 1000;
  return [...retired, ...abandoned(facts, `no worker of revision ${revision} polled within ${seconds} s`)];
}

function statusSteps({ status, facts }: LiveDeployment, seen: Observation): readonly DeploymentEvent[] {
  const { revision, engine } = currentEnvironment(facts, seen);
  const polls = seen.polling.has(revision);
  const startReason =
    facts.provider === 'external'
      ? `no worker of revision ${revision} polls yet: a worker starts to poll when its engine (${engine}) answers`
      : 'the workers are starting';
  const starting = { type: 'DeploymentStarting', data: { reason: startReason } } as const;
  const ready = { type: 'DeploymentReady', data: { reason: pollsReason(revision) } } as const;
  switch (status) {
    case 'provisioning':
      if (polls) return [starting, ready];
      return seen.isTaken ? [starting] : [];
    case 'starting':
      return polls ? [ready] : [];
    case 'unavailable':
      return polls && !facts.isPaused ? [ready] : [];
    case 'ready': {
      if (polls || seen.silentMs < seen.silenceMs) return [];
      const silence = `no worker has polled for ${seen.silenceMs / 1000} s`;
      return [{ type: 'DeploymentUnavailable', data: { reason: silence } }];
    }
    case 'draining': {
      const isSettled = millisecondsBetween(facts.statusSince, seen.now) >= seen.settleMs;
      if (!isSettled || seen.jobs === null || seen.jobs.size > 0) return [];
      return [{ type: 'DeploymentStopped', data: { reason: 'every job has ended' } }];
    }
    case 'stopped':
      return [];
  }
}

/** A next revision that polls becomes current in the same step. */
function currentEnvironment({ environment, next }: DeploymentFacts, { polling }: Observation): Environment {
  return next !== null && polling.has(next.environment.revision) ? next.environment : environment;
}

function abandoned({ next }: DeploymentFacts, reason: string): readonly DeploymentEvent[] {
  return next === null ? [] : [{ type: 'RepinAbandoned', data: { revision: next.environment.revision, reason } }];
}

function isSame(environment: Environment, pinned: PinnedSpec): boolean {
  return textOf(environment) === textOf(pinned);
}

/** Both forms in one order: of packages too, because the later one may replace the earlier one. */
function textOf({ image, engine, engineVersion, packages, catalogueHash }: PinnedSpec): string {
  const named = packages.map(({ id, version }) => [id, version]);
  return JSON.stringify([image, engine, engineVersion, named, catalogueHash]);
}

function sameOptions(one: Options, other: Options): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
