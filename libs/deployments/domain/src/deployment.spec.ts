import { UndecodableEvent } from '@heddle/event-codec';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeDeploymentEvent, DEPLOYMENT_EVENT_TYPES, encodeDeploymentEvent } from './deployment.codec.js';
import { after, apply, because, creation, first, pinned, seen, STORIES, timeAt } from './deployment.fixture.js';
import { labelProblem } from './deployment-name.js';
import { coldStartS, drain, observe, pause, repin, start } from './deployment.js';
import type { CreatedDeployment, DeploymentState } from './deployment.state.js';

const folder = new URL('../samples/', import.meta.url);
const samples = readdirSync(folder).map((file) => {
  const [type, version] = file.split('.') as [string, string];
  const text = JSON.stringify(JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
  return { type, version: Number(version.slice(1)), text };
});

describe('frozen samples of the events of a deployment', () => {
  it.each(samples)('$type of schema version $version decodes, and encodes to the same bytes', (sample) => {
    const newer = JSON.stringify({ ...JSON.parse(sample.text), fieldOfALaterBuild: 1 });
    for (const stored of [sample.text, newer]) {
      expect(encodeDeploymentEvent(decodeDeploymentEvent(sample.type, sample.version, stored))).toBe(sample.text);
    }
  });

  it('exist for every event type', () => {
    expect(samples.map(({ type }) => type).sort()).toEqual([...DEPLOYMENT_EVENT_TYPES].sort());
  });

  it('are all that this build reads', () => {
    for (const [type, version, data] of [
      ['DeploymentMoved', 1, '{}'],
      ['constructor', 1, '{}'],
      ['DeploymentReady', 2, '{"reason":"x"}'],
      ['DeploymentReady', 1, '{'],
      ['DeploymentReady', 1, '{"reason":1}'],
    ] as const) {
      expect(() => decodeDeploymentEvent(type, version, data)).toThrow(UndecodableEvent);
    }
  });
});

describe('a re-pin', () => {
  const ready = after(...STORIES['ready']!);
  const pinning = apply(ready, repin(ready, pinned));

  it('keeps the status, and is current once a worker of it polls; the older revision stays for its jobs', () => {
    expect(pinning).toMatchObject({ status: 'ready', facts: { environment: { revision: 1 }, lastRevision: 2 } });
    const polled = apply(pinning, observe(pinning, seen({ now: timeAt(101), polling: new Set([1, 2]) })));
    expect(polled).toMatchObject({
      status: 'ready',
      facts: { environment: { revision: 2 }, next: null, retiring: [{ revision: 1 }] },
    });
    const busy = observe(polled, seen({ polling: new Set([2]), jobs: new Set([1, 2]) }));
    expect(busy).toEqual({ ok: true, events: [] });
    expect(observe(polled, seen({ polling: new Set([2]), jobs: new Set([2]) }))).toEqual({
      ok: true,
      events: [{ type: 'RevisionRetired', data: { revision: 1 } }],
    });
  });

  it('is given up after its timeout, and its number is not used again', () => {
    const late = observe(pinning, seen({ now: timeAt(100 + 600), polling: new Set([1]) }));
    const abandoned = apply(pinning, late);
    expect(abandoned).toMatchObject({ facts: { next: null, environment: { revision: 1 } } });
    expect(apply(abandoned, repin(abandoned, pinned))).toMatchObject({
      facts: { next: { environment: { revision: 3 } } },
    });
  });

  it('tells in its reason of the current revision, and of one that was given up', () => {
    const reasonOf = (state: DeploymentState) => (state as CreatedDeployment).facts.reason;
    const polled = apply(pinning, observe(pinning, seen({ now: timeAt(101), polling: new Set([1, 2]) })));
    expect(reasonOf(polled)).toBe('a worker of revision 2 polls');
    const abandoned = apply(pinning, observe(pinning, seen({ now: timeAt(700), polling: new Set([1]) })));
    expect(reasonOf(abandoned)).toBe(
      'a worker of revision 1 polls; revision 2 was given up: no worker of revision 2 polled within 600 s',
    );
    expect(reasonOf(apply(abandoned, repin(abandoned, pinned)))).toBe('a worker of revision 1 polls');
    const paused = apply(pinning, pause(pinning));
    const behind = apply(paused, observe(paused, seen({ now: timeAt(101), polling: new Set([2]) })));
    expect(reasonOf(behind)).toBe('paused by the operator');
    const starting = after(...STORIES['starting']!);
    const repinned = apply(starting, repin(starting, pinned));
    const begun = apply(repinned, observe(repinned, seen({ now: timeAt(101), polling: new Set([2]) })));
    expect(reasonOf(begun)).toBe('a worker of revision 2 polls');
  });

  it('with the environment that is pinned makes no revision, and with the current one ends the re-pin', () => {
    expect(repin(pinning, pinned)).toEqual({ ok: true, events: [] });
    const back = apply(pinning, repin(pinning, first));
    expect(back).toMatchObject({ facts: { environment: { revision: 1 }, next: null, lastRevision: 2 } });
  });

  it('is replaced by a newer one, and ends with a drain', () => {
    const again = apply(pinning, repin(pinning, { ...pinned, image: 'another' }));
    expect(again).toMatchObject({ facts: { next: { environment: { revision: 3 } } } });
    expect(apply(pinning, drain(pinning))).toMatchObject({ status: 'draining', facts: { next: null } });
  });

  it('of a stopped deployment is current at once', () => {
    const stopped = after(...STORIES['stopped']!);
    expect(apply(stopped, repin(stopped, pinned))).toMatchObject({
      status: 'stopped',
      facts: { environment: { revision: 2 }, next: null, retiring: [] },
    });
  });
});

describe('a deployment', () => {
  it('that is drained while it is paused lets its waiting jobs run', () => {
    const paused = after(...STORIES['paused']!);
    expect(paused).toMatchObject({ status: 'unavailable', facts: { isPaused: true } });
    expect(apply(paused, drain(paused))).toMatchObject({ status: 'draining', facts: { isPaused: false } });
  });

  it('takes the median of its last five starts as its cold start, and none of a return from silence', () => {
    let state = after({ type: 'DeploymentCreated', data: creation });
    expect(coldStartS((state as CreatedDeployment).facts)).toBeNull();
    for (const [round, seconds] of [90, 10, 20, 60, 30, 40].entries()) {
      const from = 1000 * (round + 1);
      state = apply(state, drain(state), from);
      state = apply(state, start(state), from);
      state = apply(state, observe(state, seen({ polling: new Set([1]) })), from + seconds);
    }
    expect(coldStartS((state as CreatedDeployment).facts)).toBe(30);
    const silent = apply(state, { ok: true, events: [{ type: 'DeploymentUnavailable', data: because }] }, 9000);
    const back = apply(silent, observe(silent, seen({ polling: new Set([1]) })), 9999);
    expect(coldStartS((back as CreatedDeployment).facts)).toBe(30);
  });

  it('names its reason in each status', () => {
    const ready = after(...STORIES['ready']!);
    expect(apply(ready, pause(ready))).toMatchObject({ facts: { reason: 'paused by the operator' } });
    const silent = apply(ready, observe(ready, seen({ silentMs: 30_000 })));
    expect(silent).toMatchObject({ facts: { reason: 'no worker was heard of for 30 s' } });
    const created = after(...STORIES['provisioning']!);
    expect(apply(created, observe(created, seen({ isTaken: true })))).toMatchObject({
      facts: {
        reason: 'no worker of revision 1 polls yet: one comes by itself, once its engine (builtin) answers',
      },
    });
  });
});

describe('a label', () => {
  it.each(['a', '0', 'alpha', 'a-b', 'a'.repeat(63), 'stg-1', 'xn-a'])('may be %s', (label) => {
    expect(labelProblem(label)).toBeNull();
  });

  it.each(['', '-a', 'a-', 'A', 'a.b', 'a_b', 'ä', 'a'.repeat(64), 'stg', 'managed', 'xn--a', 'ab--'])(
    'must not be %s',
    (label) => {
      expect(labelProblem(label)).not.toBeNull();
    },
  );
});
