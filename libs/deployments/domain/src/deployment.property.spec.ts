import { secondAt } from '@heddle/testing-decisions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeDeploymentEvent, encodeDeploymentEvent } from './deployment.codec.js';
import { creation, first, options, pinned, seen } from './deployment.fixture.js';
import {
  changeOptions,
  createDeployment,
  deleteDeployment,
  drain,
  mayStep,
  observe,
  pause,
  repin,
  resume,
  start,
} from './deployment.js';
import type { DeploymentDecision } from './deployment.js';
import type { DeploymentEvent } from './deployment.events.js';
import { environmentsInUse, uncreated } from './deployment.state.js';
import type { DeploymentState } from './deployment.state.js';
import { evolve, fold } from './evolve.js';

/** Edges of accounts, Status of a deployment; loops are not listed. */
const LEGAL = new Set([
  'uncreated>provisioning',
  'provisioning>starting',
  'starting>ready',
  'ready>unavailable',
  'unavailable>ready',
  ...['provisioning', 'starting', 'ready', 'unavailable'].map((status) => `${status}>draining`),
  'draining>stopped',
  'draining>provisioning',
  'stopped>provisioning',
  'stopped>deleted',
]);

/** What an operator would say of the deployment, without looking at events: the model. */
interface Model {
  readonly exists: boolean;
  readonly isPaused: boolean;
}

interface Command {
  readonly text: string;
  readonly decide: (state: DeploymentState) => DeploymentDecision;
  readonly model: (model: Model) => Model;
  /** What an observation saw of the jobs; absent for a command. */
  readonly jobs?: ReadonlySet<number> | null;
}

const revisions = fc.subarray([1, 2, 3]).map((some) => new Set(some));
const keeps = (model: Model): Model => model;
const command = (text: string, decide: Command['decide'], model: Command['model'] = keeps): Command => ({
  text,
  decide,
  model,
});

const observation = fc
  .record({
    polling: revisions,
    jobs: fc.option(revisions),
    isTaken: fc.boolean(),
    silentMs: fc.nat(60_000),
    at: fc.nat(2000),
  })
  .map(({ at, ...what }) => ({
    ...command(`observe ${JSON.stringify({ ...what, polling: [...what.polling] })}`, (state) => {
      const decision = observe(state, seen({ ...what, now: secondAt(at) }));
      // Nobody looks at a deployment that may not step.
      if (!mayStep(state, what.polling) && decision.ok) expect(decision.events).toEqual([]);
      return decision;
    }),
    jobs: what.jobs,
  }));

const commands = fc.oneof(
  { weight: 5, arbitrary: observation },
  fc.constantFrom(
    command(
      'create',
      (state) => createDeployment(state, creation),
      (model) => ({ ...model, exists: true }),
    ),
    command('set', (state) => changeOptions(state, { ...options, slots: 3 })),
    command('repin', (state) => repin(state, pinned)),
    command('repin the first', (state) => repin(state, first)),
    command('repin another', (state) => repin(state, { ...pinned, image: 'another' })),
    command('pause', pause, (model) => ({ ...model, isPaused: true })),
    command(
      'resume',
      (state) => resume(state, false),
      (model) => ({ ...model, isPaused: false }),
    ),
    command('drain', drain, (model) => ({ ...model, isPaused: false })),
    command('start', start),
    command('delete', (state) => deleteDeployment(state, false)),
    command('delete with jobs', (state) => deleteDeployment(state, true)),
  ),
);

function check(steps: readonly Command[]): void {
  let state: DeploymentState = uncreated;
  let model: Model = { exists: false, isPaused: false };
  const log: { event: DeploymentEvent; recordedAt: string }[] = [];
  const numbers: number[] = [];
  for (const [at, { decide, model: expected, jobs }] of steps.entries()) {
    const before = new Set(
      state.status === 'uncreated' ? [] : environmentsInUse(state).map(({ revision }) => revision),
    );
    const decision = decide(state);
    if (!decision.ok) continue;
    if (decision.events.length > 0 || state.status !== 'uncreated') model = expected(model);
    for (const event of decision.events) {
      const stored = decodeDeploymentEvent(event.type, 1, encodeDeploymentEvent(event));
      expect(stored).toEqual(event);
      const recorded = { event: stored, recordedAt: secondAt(at) };
      const from: DeploymentState['status'] = state.status;
      state = evolve(state, recorded);
      log.push(recorded);
      if (state.status !== from) expect(LEGAL).toContain(`${from}>${state.status}`);
      if (event.type === 'RepinRequested') numbers.push(event.data.environment.revision);
    }
    if (state.status === 'uncreated') continue;
    const { facts } = state;
    if (jobs !== undefined) {
      // Whoever has jobs keeps workers; where they are unknown, or may still arrive, nobody loses them.
      const inUse = new Set(environmentsInUse(state).map(({ revision }) => revision));
      const ended = [...before].filter((revision) => !inUse.has(revision));
      expect(
        ended.filter((revision) => revision !== abandonedOf(decision.events) && (jobs?.has(revision) ?? true)),
      ).toEqual([]);
    }
    expect(facts.version).toBe(log.length);
    expect(facts.isPaused).toBe(model.isPaused);
    // Revisions: one current, at most one next, none named twice, none above the last.
    const named = [facts.environment, ...facts.retiring, ...(facts.next ? [facts.next.environment] : [])];
    const all = named.map(({ revision }) => revision);
    expect(new Set(all).size).toBe(all.length);
    expect(Math.max(...all)).toBeLessThanOrEqual(facts.lastRevision);
  }
  expect(fold(log)).toEqual(state);
  expect(state.status !== 'uncreated').toBe(model.exists);
  // Revisions are numbered 2, 3, … in the order of their requests.
  expect(numbers).toEqual(numbers.map((_, index) => index + 2));
}

function abandonedOf(events: readonly DeploymentEvent[]): number | null {
  const abandoned = events.find(({ type }) => type === 'RepinAbandoned');
  return abandoned?.type === 'RepinAbandoned' ? abandoned.data.revision : null;
}

describe('any sequence of commands and observations', () => {
  it('walks the legal edges alone, and the log folds to the same state (the seed is printed with a failure)', () => {
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 40 }), (steps) => check(steps)),
      { numRuns: 400 },
    );
  });
});
