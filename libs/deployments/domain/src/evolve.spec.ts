import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeDeploymentEvent, DEPLOYMENT_EVENT_TYPES, encodeDeploymentEvent } from './deployment.codec.js';
import type { DeploymentEvent } from './deployment.events.js';
import { activated, aReadyDeployment, repinned, STORIES } from './deployment.fixture.js';
import { environmentsInUse } from './deployment.state.js';
import type { CreatedDeployment, DeploymentState } from './deployment.state.js';
import { evolve, fold } from './evolve.js';

const RECORDED_AT = '2026-02-01T00:00:00.000Z';
/** An event of each type: the frozen samples. */
const EVENTS: readonly DeploymentEvent[] = readdirSync(new URL('../samples/', import.meta.url)).map((file) => {
  const [type, version] = file.split('.') as [string, string];
  const text = readFileSync(new URL(`../samples/${file}`, import.meta.url), 'utf8');
  return decodeDeploymentEvent(type, Number(version.slice(1)), text);
});
const states = Object.entries({
  ...STORIES,
  repinning: aReadyDeployment.and(repinned(2)),
  'with an old revision': aReadyDeployment.and(repinned(2), activated(2)),
}).map(([name, story]) => ({ name, story, state: story.state() }));
const pairs = states.flatMap((state) => EVENTS.map((event) => ({ ...state, event })));
const versionOf = (state: DeploymentState): number => (state.status === 'uncreated' ? 0 : state.facts.version);

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(Object.freeze(value))) frozen(inner);
  return value;
}

describe('the fold of a deployment', () => {
  it('is tried with every type of event', () => {
    expect(new Set(EVENTS.map(({ type }) => type))).toEqual(new Set(DEPLOYMENT_EVENT_TYPES));
  });

  it('takes every event on every status: it never throws, and counts each as a version', () => {
    for (const { name, state, event } of pairs) {
      const after = evolve(state, { event, recordedAt: RECORDED_AT });
      const isFirst = event.type === 'DeploymentCreated';
      const expected = isFirst ? 1 : state.status === 'uncreated' ? 0 : versionOf(state) + 1;
      expect(versionOf(after), `${event.type} on ${name}`).toBe(expected);
    }
  });

  it('changes neither the state nor the event that it is given', () => {
    for (const { state, event } of pairs)
      expect(() => evolve(frozen(state), frozen({ event, recordedAt: RECORDED_AT }))).not.toThrow();
  });

  it('begins with the creation alone', () => {
    for (const event of EVENTS.filter(({ type }) => type !== 'DeploymentCreated'))
      expect(evolve({ status: 'uncreated' }, { event, recordedAt: RECORDED_AT })).toEqual({ status: 'uncreated' });
  });

  it('keeps what no event changes: name, provider and time of creation', () => {
    for (const { name, state, event } of pairs) {
      if (state.status === 'uncreated' || event.type === 'DeploymentCreated') continue;
      const { facts } = evolve(state, { event, recordedAt: RECORDED_AT }) as CreatedDeployment;
      const { label, stage, accountId, provider, createdAt } = state.facts;
      expect(facts, `${event.type} on ${name}`).toMatchObject({ label, stage, accountId, provider, createdAt });
    }
  });

  it('notes the time of a change of status, and of no other event', () => {
    for (const { name, state, event } of pairs) {
      if (state.status === 'uncreated' || event.type === 'DeploymentCreated') continue;
      const after = evolve(state, { event, recordedAt: RECORDED_AT }) as CreatedDeployment;
      if (after.status !== state.status) expect(after.facts.statusSince, `${event.type} on ${name}`).toBe(RECORDED_AT);
      if (event.type.startsWith('Re') || event.type === 'OptionsChanged')
        expect(after.facts.statusSince, `${event.type} on ${name}`).toBe(state.facts.statusSince);
    }
  });

  it('needs workers for the current, the next and each retiring revision, until it has stopped', () => {
    const inUse = ({ state }: (typeof states)[number]): readonly number[] | null =>
      state.status === 'uncreated' ? null : environmentsInUse(state).map(({ revision }) => revision);
    expect(Object.fromEntries(states.map((one) => [one.name, inUse(one)]))).toEqual({
      uncreated: null,
      provisioning: [1],
      starting: [1],
      ready: [1],
      unavailable: [1],
      paused: [1],
      draining: [1],
      stopped: [],
      deleted: [],
      repinning: [1, 2],
      'with an old revision': [2, 1],
    });
  });

  it('gives for a log what event after event gives', () => {
    for (const { name, story, state } of states) {
      const log = story.events.map((event, at) => ({
        event,
        recordedAt: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString(),
      }));
      expect(fold(log), name).toEqual(state);
    }
  });
});

describe('the payload of a stored event of a deployment', () => {
  const fields = EVENTS.flatMap((event) => {
    const payload = JSON.parse(encodeDeploymentEvent(event)) as Record<string, unknown>;
    return Object.keys(payload).map((field) => ({ type: event.type, field, payload }));
  });

  it.each(fields)('$type is refused without $field, and with one of another type', ({ type, field, payload }) => {
    const { [field]: _left, ...rest } = payload;
    expect(() => decodeDeploymentEvent(type, 1, JSON.stringify(rest))).toThrow(`${type}.${field}`);
    const other = JSON.stringify({ ...payload, [field]: [payload[field]] });
    expect(() => decodeDeploymentEvent(type, 1, other)).toThrow(`${type}.${field}`);
  });
});
