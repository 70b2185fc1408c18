import { given, secondAt } from '@heddle/testing-decisions';
import { describe, expect, it } from 'vitest';
import { activated, aReadyDeployment, COMMANDS, repinned, seen, STORIES } from './deployment.fixture.js';
import { mayStep, observe } from './deployment.js';
import type { DeploymentRejection, Observation } from './deployment.js';

const PAST = {
  ...STORIES,
  repinning: aReadyDeployment.and(repinned(2)),
  'with an old revision': aReadyDeployment.and(repinned(2), activated(2)),
};
const cells = Object.entries(PAST).flatMap(([name, past]) =>
  Object.entries(COMMANDS).map(([command, decide]) => ({ at: `${command} when ${name}`, past, decide })),
);

/** What can be seen an hour later, in every combination. */
const SEEN: readonly Observation[] = [new Set<number>(), new Set([1]), new Set([2]), new Set([1, 2])].flatMap(
  (polling) =>
    [null, new Set<number>(), new Set([1]), new Set([2])].flatMap((jobs) =>
      [true, false].flatMap((isTaken) => [0, 30_000].map((silentMs) => seen({ polling, jobs, isTaken, silentMs }))),
    ),
);

describe('every command on every deployment', () => {
  it('that comes again adds nothing', () => {
    for (const { at, past, decide } of cells) {
      const decision = decide(past.state());
      const after = past.and(...(decision.ok ? decision.events : []));
      const again = decide(after.state());
      expect(again.ok ? again.events : [], at).toEqual([]);
    }
  });

  it('reaches each rejection, and no other', () => {
    const known: Readonly<Record<DeploymentRejection, true>> = {
      already_exists: true,
      not_found: true,
      wrong_status: true,
      has_jobs: true,
    };
    const decisions = cells.map(({ past, decide }) => decide(past.state()));
    const rejections = decisions.flatMap((decision) => (decision.ok ? [] : [decision.rejection]));
    expect(new Set(rejections)).toEqual(new Set(Object.keys(known)));
  });

  it('finds a deployment that is neither uncreated nor deleted', () => {
    for (const [name, past] of Object.entries(PAST)) {
      const { status } = past.state();
      for (const [command, decide] of Object.entries(COMMANDS).filter(([one]) => one !== 'create')) {
        const decision = decide(past.state());
        const isMissing = !decision.ok && decision.rejection === 'not_found';
        expect(isMissing, `${command} when ${name}`).toBe(status === 'uncreated' || status === 'deleted');
      }
    }
  });
});

describe('everything that can be seen of every deployment', () => {
  const looks = Object.entries(PAST).flatMap(([name, past]) => SEEN.map((what) => ({ name, past, what })));

  it('takes its steps at once: the next look without a change takes none', () => {
    for (const { name, past, what } of looks) {
      const decision = observe(past.state(), what);
      const events = decision.ok ? decision.events : [];
      const later = observe(past.and(...events).state(), what);
      // A revision that has just become current retires the one before once gateways know of it.
      const types = later.ok ? later.events.map(({ type }) => type) : [];
      const isActivated = events.some(({ type }) => type === 'RevisionActivated');
      expect(
        types.filter((type) => !(isActivated && type === 'RevisionRetired')),
        name,
      ).toEqual([]);
    }
  });

  it('takes no step where a look was said to be needless', () => {
    for (const { name, past, what } of looks) {
      if (mayStep(past.state(), what.polling) || past.state().status === 'deleted') continue;
      if (past.state().status === 'uncreated') continue;
      const decision = observe(past.state(), { ...what, now: secondAt(10 ** 7) });
      expect(decision, name).toEqual({ ok: true, events: [] });
    }
  });

  it('never stops a deployment or retires a revision whose jobs are unknown', () => {
    for (const { name, past, what } of looks.filter((look) => look.what.jobs === null)) {
      const decision = observe(past.state(), what);
      const types = decision.ok ? decision.events.map(({ type }) => type) : [];
      expect(types, name).not.toContain('DeploymentStopped');
      expect(types, name).not.toContain('RevisionRetired');
    }
  });

  it('never pauses, drains, deletes or pins: those are commands', () => {
    const steps = new Set(
      looks.flatMap(({ past, what }) => {
        const decision = observe(past.state(), what);
        return decision.ok ? decision.events.map(({ type }) => type) : [];
      }),
    );
    expect([...steps].sort()).toEqual([
      'DeploymentReady',
      'DeploymentStarting',
      'DeploymentStopped',
      'DeploymentUnavailable',
      'RepinAbandoned',
      'RevisionActivated',
      'RevisionRetired',
    ]);
  });

  it('finds no deployment that is uncreated or deleted', () => {
    for (const what of SEEN)
      for (const past of [STORIES.uncreated, STORIES.deleted])
        given(past)
          .when((state) => observe(state, what))
          .thenRejected('not_found');
  });
});
