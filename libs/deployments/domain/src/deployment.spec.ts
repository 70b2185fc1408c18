import { given, secondAt } from '@heddle/testing-decisions';
import { describe, expect, it } from 'vitest';
import {
  activated,
  aDeletedDeployment,
  aDrainingDeployment,
  aNewDeployment,
  aPausedDeployment,
  aReadyDeployment,
  aSilentDeployment,
  aStartingDeployment,
  aStoppedDeployment,
  creation,
  DRAINED,
  first,
  noDeployment,
  options,
  PAUSED,
  pinned,
  READY,
  repinned,
  RESUMED,
  seen,
  SILENT,
  STARTED,
  STARTING,
} from './deployment.fixture.js';
import {
  awaitsWorker,
  changeOptions,
  coldStartS,
  createDeployment,
  deleteDeployment,
  drain,
  observe,
  pause,
  repin,
  resume,
  start,
} from './deployment.js';
import type { Observation } from './deployment.js';
import { environmentsInUse } from './deployment.state.js';
import type { CreatedDeployment, DeploymentState } from './deployment.state.js';

const another = { ...pinned, image: 'another' };
const sees = (changes: Partial<Observation>) => (state: DeploymentState) => observe(state, seen(changes));
const to = (spec: typeof pinned) => (state: DeploymentState) => repin(state, spec);
const abandoned = (revision: number, reason: string) =>
  ({ type: 'RepinAbandoned', data: { revision, reason } }) as const;
const because = <Type extends string>(type: Type, reason: string) => ({ type, data: { reason } });
const createdState = (state: DeploymentState): CreatedDeployment => state as CreatedDeployment;

describe('a creation', () => {
  it('takes a name that was never given', () => {
    given(noDeployment)
      .when((state) => createDeployment(state, creation))
      .then({ type: 'DeploymentCreated', data: creation });
  });

  it('is refused for a name that was given, also if its deployment was deleted', () => {
    for (const past of [aNewDeployment, aReadyDeployment, aDeletedDeployment])
      given(past)
        .when((state) => createDeployment(state, creation))
        .thenRejected('already_exists');
  });
});

describe('a change of options', () => {
  const changed = { ...options, slots: 2 };

  it('is kept, and made once', () => {
    const event = { type: 'OptionsChanged', data: { options: changed } } as const;
    given(aReadyDeployment)
      .when((state) => changeOptions(state, changed))
      .then(event);
    given(aReadyDeployment.and(event))
      .when((state) => changeOptions(state, changed))
      .thenNothing();
  });

  it('may be one of a limit alone', () => {
    const limited = { ...options, limits: { ...options.limits, queueDepth: 7 } };
    given(aReadyDeployment)
      .when((state) => changeOptions(state, limited))
      .then({ type: 'OptionsChanged', data: { options: limited } });
  });
});

describe('a pause', () => {
  it('holds a deployment that has started', () => {
    for (const past of [aReadyDeployment, aSilentDeployment])
      given(past).when(pause).then(because('DeploymentPaused', 'paused by the operator'));
  });

  it('keeps a worker that polls from making the deployment ready', () => {
    given(aPausedDeployment)
      .when(sees({ polling: new Set([1]) }))
      .thenNothing();
  });

  it('keeps silence from being told, as the deployment takes no job', () => {
    given(aPausedDeployment)
      .when(sees({ silentMs: 60_000 }))
      .thenNothing();
  });

  it('ends with a resumption, which makes it ready at once if a worker polls', () => {
    const reason = 'resumed by the operator';
    given(aPausedDeployment)
      .when((state) => resume(state, true))
      .then(because('DeploymentResumed', reason), because('DeploymentReady', reason));
    given(aPausedDeployment)
      .when((state) => resume(state, false))
      .then(because('DeploymentResumed', `${reason}; no worker polls yet`));
  });

  it('that ended lets the next worker make it ready', () => {
    given(aPausedDeployment.and(RESUMED))
      .when(sees({ polling: new Set([1]) }))
      .then(because('DeploymentReady', 'a worker of revision 1 polls'));
  });

  it('is lifted by a drain, so that waiting jobs run', () => {
    const drained = given(aPausedDeployment).when(drain).then(because('DrainRequested', 'drained by the operator'));
    expect(createdState(drained).facts.isPaused).toBe(false);
  });

  it('is not lifted by a start', () => {
    given(aPausedDeployment).when(start).thenRejected('wrong_status');
  });
});

describe('a drain', () => {
  it('gives up a re-pin in progress first', () => {
    given(aReadyDeployment.and(repinned(2)))
      .when(drain)
      .then(abandoned(2, 'the deployment is drained'), because('DrainRequested', 'drained by the operator'));
  });

  it('ends when gateways know of it and no job is left', () => {
    const stopped = because('DeploymentStopped', 'every job has ended');
    given(aDrainingDeployment)
      .when(sees({ now: secondAt(5) }))
      .then(stopped);
    given(aDrainingDeployment)
      .when(sees({ now: secondAt(4) }))
      .thenNothing();
    given(aDrainingDeployment)
      .when(sees({ jobs: new Set([1]) }))
      .thenNothing();
    given(aDrainingDeployment)
      .when(sees({ jobs: null }))
      .thenNothing();
  });

  it('does not become ready again by a worker that polls', () => {
    given(aDrainingDeployment)
      .when(sees({ polling: new Set([1]), jobs: new Set([1]) }))
      .thenNothing();
  });

  it('is undone by a start', () => {
    for (const past of [aDrainingDeployment, aStoppedDeployment])
      given(past).when(start).then(because('StartRequested', 'started by the operator'));
  });
});

describe('a deletion', () => {
  it('takes a stopped deployment without jobs', () => {
    given(aStoppedDeployment)
      .when((state) => deleteDeployment(state, false))
      .then(because('DeploymentDeleted', 'deleted by the operator'));
  });

  it('is refused while jobs have not ended, whatever the status', () => {
    for (const past of [aReadyDeployment, aDrainingDeployment, aStoppedDeployment])
      given(past)
        .when((state) => deleteDeployment(state, true))
        .thenRejected('has_jobs');
  });

  it('ends the name: no command finds it', () => {
    const commands = [pause, drain, start, to(pinned), sees({ polling: new Set([1]) })];
    for (const decide of commands) given(aDeletedDeployment).when(decide).thenRejected('not_found');
    given(aDeletedDeployment)
      .when((state) => deleteDeployment(state, false))
      .thenRejected('not_found');
  });
});

describe('a re-pin', () => {
  const repinning = aReadyDeployment.and(repinned(2));

  it('asks for the next number', () => {
    given(aReadyDeployment).when(to(pinned)).then(repinned(2));
  });

  it('is current once a worker of it polls, and the older revision stays for its jobs', () => {
    const polled = given(repinning)
      .when(sees({ now: secondAt(4), polling: new Set([1, 2]) }))
      .then(activated(2));
    expect(environmentsInUse(createdState(polled)).map(({ revision }) => revision)).toEqual([2, 1]);
  });

  it('keeps the status until then', () => {
    given(repinning)
      .when(sees({ now: secondAt(4), polling: new Set([1]) }))
      .thenNothing();
  });

  it('retires the older revision when gateways know of the new one and no job of it is left', () => {
    const both = repinning.and(activated(2));
    const polling = new Set([2]);
    given(both)
      .when(sees({ polling, jobs: new Set([1, 2]) }))
      .thenNothing();
    given(both)
      .when(sees({ polling, jobs: null }))
      .thenNothing();
    given(both)
      .when(sees({ polling, now: secondAt(5) }))
      .thenNothing();
    given(both)
      .when(sees({ polling, jobs: new Set([2]), now: secondAt(6) }))
      .then({ type: 'RevisionRetired', data: { revision: 1 } });
  });

  it('is given up after its timeout, and its number is not used again', () => {
    const reason = 'no worker of revision 2 polled within 600 s';
    given(repinning)
      .when(sees({ now: secondAt(602), polling: new Set([1]) }))
      .thenNothing();
    given(repinning)
      .when(sees({ now: secondAt(603), polling: new Set([1]) }))
      .then(abandoned(2, reason));
    given(repinning.and(abandoned(2, reason)))
      .when(to(pinned))
      .then(repinned(3));
  });

  it('with the environment that is asked for asks nothing more', () => {
    given(repinning).when(to(pinned)).thenNothing();
  });

  it('with the current environment makes no revision, and ends one that is in progress', () => {
    given(aReadyDeployment).when(to(first)).thenNothing();
    given(repinning).when(to(first)).then(abandoned(2, 'revision 1 was pinned again'));
  });

  it('is replaced by a newer one', () => {
    given(repinning).when(to(another)).then(abandoned(2, 'revision 3 was pinned'), repinned(3, another));
  });

  it('of a stopped deployment is current at once, as no job needs the older one', () => {
    const state = given(aStoppedDeployment).when(to(pinned)).then(repinned(2), activated(2));
    expect(createdState(state).facts).toMatchObject({ environment: { revision: 2 }, next: null, retiring: [] });
  });

  it('of a draining deployment is refused', () => {
    given(aDrainingDeployment).when(to(pinned)).thenRejected('wrong_status');
  });

  it('sees the order of packages, as a later one may replace an earlier one', () => {
    const [a, b] = [
      { id: 'a', version: '1' },
      { id: 'b', version: '2' },
    ];
    const past = aStoppedDeployment.and(repinned(2, { ...pinned, packages: [a, b] as never }), activated(2));
    given(past)
      .when(to({ ...pinned, packages: [a, b] as never }))
      .thenNothing();
    given(past)
      .when(to({ ...pinned, packages: [b, a] as never }))
      .thenTypes('RepinRequested', 'RevisionActivated');
  });
});

describe('the start of a deployment', () => {
  const external = 'no worker of revision 1 polls yet: a worker starts to poll when its engine (builtin) answers';

  it('begins when its provider takes it, or when a worker is faster than that', () => {
    given(aNewDeployment)
      .when(sees({ isTaken: true }))
      .then(because('DeploymentStarting', external));
    given(aNewDeployment).when(sees({})).thenNothing();
    given(aNewDeployment)
      .when(sees({ polling: new Set([1]) }))
      .then(because('DeploymentStarting', external), because('DeploymentReady', 'a worker of revision 1 polls'));
  });

  it('says of the local provider that its workers start', () => {
    given(noDeployment.and({ type: 'DeploymentCreated', data: { ...creation, provider: 'local' } }))
      .when(sees({ isTaken: true }))
      .then(because('DeploymentStarting', 'the workers are starting'));
  });

  it('ends with the first worker of the current revision', () => {
    given(aStartingDeployment)
      .when(sees({ polling: new Set([7]) }))
      .thenNothing();
    given(aStartingDeployment)
      .when(sees({ polling: new Set([1]) }))
      .then(because('DeploymentReady', 'a worker of revision 1 polls'));
  });

  it('ends with a worker of the revision that was asked for meanwhile, which becomes current', () => {
    given(aStartingDeployment.and(repinned(2)))
      .when(sees({ now: secondAt(3), polling: new Set([2]) }))
      .then(activated(2), because('DeploymentReady', 'a worker of revision 2 polls'));
  });
});

describe('silence', () => {
  it('makes a ready deployment unavailable after its limit', () => {
    given(aReadyDeployment)
      .when(sees({ silentMs: 30_000 }))
      .then(because('DeploymentUnavailable', 'no worker has polled for 30 s'));
    given(aReadyDeployment)
      .when(sees({ silentMs: 29_999 }))
      .thenNothing();
    given(aReadyDeployment)
      .when(sees({ silentMs: 30_000, polling: new Set([1]) }))
      .thenNothing();
  });

  it('ends with the next worker, and does nothing to a deployment that has not started', () => {
    given(aSilentDeployment)
      .when(sees({ polling: new Set([1]) }))
      .then(because('DeploymentReady', 'a worker of revision 1 polls'));
    for (const past of [aNewDeployment, aStartingDeployment, aStoppedDeployment])
      given(past)
        .when(sees({ silentMs: 60_000 }))
        .thenNothing();
  });
});

describe('the reason of a deployment', () => {
  const repinning = aReadyDeployment.and(repinned(2));
  const reasonOf = (past: typeof repinning): string => createdState(past.state()).facts.reason;

  it('names the current revision, and one that was given up until the next is asked for', () => {
    expect(reasonOf(repinning)).toBe('a worker of revision 1 polls');
    expect(reasonOf(repinning.and(activated(2)))).toBe('a worker of revision 2 polls');
    const late = repinning.and(abandoned(2, 'too late'));
    expect(reasonOf(late)).toBe('a worker of revision 1 polls; revision 2 was given up: too late');
    expect(reasonOf(late.and(repinned(3)))).toBe('a worker of revision 1 polls');
  });

  it('of one that is not ready stays through a re-pin', () => {
    for (const past of [aPausedDeployment, aStartingDeployment, aStoppedDeployment, aSilentDeployment])
      for (const events of [[repinned(2)], [repinned(2), activated(2)], [repinned(2), abandoned(2, 'x')]])
        expect(reasonOf(past.and(...events))).toBe(reasonOf(past));
  });
});

describe('the cold start of a deployment', () => {
  const coldStart = (past: typeof aReadyDeployment): number | null => coldStartS(createdState(past.state()).facts);

  it('is unknown before its first start', () => {
    expect(coldStart(aNewDeployment)).toBeNull();
    expect(coldStart(aStartingDeployment)).toBeNull();
  });

  it('is the time from the request of a start to the first worker', () => {
    // Created at second 0, ready at second 2.
    expect(coldStart(aReadyDeployment)).toBe(2);
  });

  it('is the median of the last five starts', () => {
    /** A start whose first worker comes after so many seconds: each event takes one. */
    const startOf = (seconds: number) => [
      ...[DRAINED, STARTED],
      ...Array.from({ length: seconds - 1 }, () => STARTING),
      READY,
    ];
    let past = aNewDeployment.and(READY);
    const medians = [90, 10, 20, 60, 30, 40].map((seconds) => {
      past = past.and(...startOf(seconds));
      return coldStart(past);
    });
    // The first start took a second. From the fifth of these on, the oldest start is left out.
    expect(medians).toEqual([45.5, 10, 15, 20, 30, 30]);
  });

  it('counts no return from silence or from a pause', () => {
    expect(coldStart(aReadyDeployment.and(SILENT, READY))).toBe(2);
    expect(coldStart(aReadyDeployment.and(PAUSED, RESUMED, READY))).toBe(2);
  });
});

describe('a deployment that takes no job', () => {
  it('waits only for a worker where no operator holds it', () => {
    const waiting = [aNewDeployment, aStartingDeployment, aSilentDeployment, aPausedDeployment.and(RESUMED)];
    for (const past of waiting) expect(awaitsWorker(createdState(past.state()))).toBe(true);
    const others = [aReadyDeployment, aPausedDeployment, aDrainingDeployment, aStoppedDeployment, aDeletedDeployment];
    for (const past of others) expect(awaitsWorker(createdState(past.state()))).toBe(false);
  });
});
