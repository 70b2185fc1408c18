import type { DeploymentEvent, RecordedDeploymentEvent } from './deployment.events.js';
import { uncreated } from './deployment.state.js';
import type { CreatedDeployment, DeploymentFacts, DeploymentState } from './deployment.state.js';
import { millisecondsBetween } from './milliseconds-between.js';
import { pollsReason } from './polls-reason.js';

/** How many starts the cold start time is the median of. */
const MAX_STARTS = 5;

/**
 * The state after one more event. Defined for every event and state, without checks: the decision that produced the
 * event has already checked it.
 */
export function evolve(state: DeploymentState, { event, recordedAt }: RecordedDeploymentEvent): DeploymentState {
  if (event.type === 'DeploymentCreated') return created(event.data, recordedAt);
  if (state.status === 'uncreated') return state;
  const facts: DeploymentFacts = { ...state.facts, version: state.facts.version + 1 };
  const to = (status: CreatedDeployment['status'], changes: Partial<DeploymentFacts> = {}): DeploymentState => ({
    status,
    facts: {
      ...facts,
      statusSince: recordedAt,
      ...('reason' in event.data ? { reason: event.data.reason } : {}),
      ...changes,
    },
  });
  const stays = (changes: Partial<DeploymentFacts>): DeploymentState => ({ ...state, facts: { ...facts, ...changes } });
  switch (event.type) {
    case 'OptionsChanged':
      return stays({ options: event.data.options });
    case 'DeploymentStarting':
      return to('starting');
    case 'DeploymentReady':
      return to('ready', state.status === 'unavailable' ? {} : { starts: withStart(facts, recordedAt) });
    case 'DeploymentUnavailable':
      return to('unavailable');
    case 'DeploymentPaused':
      return state.status === 'unavailable'
        ? stays({ isPaused: true, reason: event.data.reason })
        : to('unavailable', { isPaused: true });
    case 'DeploymentResumed':
      return stays({ isPaused: false, reason: event.data.reason });
    case 'DrainRequested':
      return to('draining', { isPaused: false });
    case 'DeploymentStopped':
      return to('stopped', { retiring: [] });
    case 'StartRequested':
      return to('provisioning', { startedAt: recordedAt });
    case 'DeploymentDeleted':
      return to('deleted');
    case 'RepinRequested': {
      const { environment } = event.data;
      const reason = state.status === 'ready' ? pollsReason(facts.environment.revision) : facts.reason;
      return stays({ next: { environment, requestedAt: recordedAt }, lastRevision: environment.revision, reason });
    }
    case 'RevisionActivated': {
      // The reason of a ready deployment is a worker of the revision that was current until now.
      const reason = state.status === 'ready' ? pollsReason(event.data.revision) : facts.reason;
      return stays({ ...activated(facts, state.status, recordedAt), reason });
    }
    case 'RevisionRetired':
      return stays({ retiring: facts.retiring.filter(({ revision }) => revision !== event.data.revision) });
    case 'RepinAbandoned': {
      const { revision, reason } = event.data;
      const told = `${pollsReason(facts.environment.revision)}; revision ${revision} was given up: ${reason}`;
      return stays({ next: null, reason: state.status === 'ready' ? told : facts.reason });
    }
  }
}

export function fold(events: Iterable<RecordedDeploymentEvent>): DeploymentState {
  let state: DeploymentState = uncreated;
  for (const event of events) state = evolve(state, event);
  return state;
}

function created(
  data: Extract<DeploymentEvent, { type: 'DeploymentCreated' }>['data'],
  recordedAt: string,
): DeploymentState {
  const { label, stage, accountId, provider, options, environment, reason } = data;
  const facts = { version: 1, label, stage, accountId, provider, options, environment, reason };
  const times = { startedAt: recordedAt, activatedAt: recordedAt, statusSince: recordedAt, createdAt: recordedAt };
  const nothing = { next: null, retiring: [], isPaused: false, starts: [] };
  return {
    status: 'provisioning',
    facts: { ...facts, ...times, ...nothing, lastRevision: environment.revision },
  };
}

function withStart({ starts, startedAt }: DeploymentFacts, readyAt: string): readonly number[] {
  return [...starts, Math.max(0, millisecondsBetween(startedAt, readyAt))].slice(-MAX_STARTS);
}

function activated(
  facts: DeploymentFacts,
  status: CreatedDeployment['status'],
  activatedAt: string,
): Partial<DeploymentFacts> {
  if (facts.next === null) return {};
  const { environment } = facts.next;
  // A stopped deployment has no job that could still need the older one.
  const retiring = status === 'stopped' ? facts.retiring : [...facts.retiring, facts.environment];
  return { environment, activatedAt, next: null, retiring };
}
