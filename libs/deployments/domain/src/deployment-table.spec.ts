import { readFileSync } from 'node:fs';
import type { Story } from '@heddle/testing-decisions';
import { describe, expect, it } from 'vitest';
import { COMMANDS, seen, STORIES } from './deployment.fixture.js';
import { observe } from './deployment.js';
import type { DeploymentDecision } from './deployment.js';
import type { DeploymentEvent } from './deployment.events.js';
import type { DeploymentState } from './deployment.state.js';

const commands: Readonly<Record<string, (state: DeploymentState) => DeploymentDecision>> = {
  ...COMMANDS,
  'sees nothing': (state) => observe(state, seen({ jobs: null })),
  'sees the provider': (state) => observe(state, seen({ isTaken: true, jobs: new Set([1]) })),
  'sees a worker': (state) => observe(state, seen({ isTaken: true, polling: new Set([1]), jobs: new Set([1]) })),
  'sees an old worker': (state) => observe(state, seen({ polling: new Set([7]), jobs: new Set([1]) })),
  'hears nobody': (state) => observe(state, seen({ silentMs: 30_000, jobs: new Set([1]) })),
  'sees no job': (state) => observe(state, seen()),
  'sees no job yet': (state) => observe(state, seen({ now: '2026-01-01T00:00:04.000Z' })),
};

/** `>x` changes to status x; `+` adds an event without a change of status; `=` is already so; else the rejection. */
const table = `
command            | uncreated    | provisioning   | starting       | ready          | unavailable    | paused         | draining       | stopped        | deleted
create             | >provisioning| already_exists | already_exists | already_exists | already_exists | already_exists | already_exists | already_exists | already_exists
set                | not_found    | +              | +              | +              | +              | +              | +              | +              | not_found
set, the same      | not_found    | =              | =              | =              | =              | =              | =              | =              | not_found
repin              | not_found    | +              | +              | +              | +              | +              | wrong_status   | +              | not_found
repin, the same    | not_found    | =              | =              | =              | =              | =              | wrong_status   | =              | not_found
pause              | not_found    | wrong_status   | wrong_status   | >unavailable   | +              | =              | wrong_status   | wrong_status   | not_found
resume             | not_found    | wrong_status   | wrong_status   | =              | =              | +              | wrong_status   | wrong_status   | not_found
resume, polled     | not_found    | wrong_status   | wrong_status   | =              | =              | >ready         | wrong_status   | wrong_status   | not_found
drain              | not_found    | >draining      | >draining      | >draining      | >draining      | >draining      | =              | =              | not_found
start              | not_found    | =              | =              | =              | =              | wrong_status   | >provisioning  | >provisioning  | not_found
delete             | not_found    | wrong_status   | wrong_status   | wrong_status   | wrong_status   | wrong_status   | wrong_status   | >deleted       | not_found
delete, with jobs  | not_found    | has_jobs       | has_jobs       | has_jobs       | has_jobs       | has_jobs       | has_jobs       | has_jobs       | not_found
sees nothing       | not_found    | =              | =              | =              | =              | =              | =              | =              | not_found
sees the provider  | not_found    | >starting      | =              | =              | =              | =              | =              | =              | not_found
sees a worker      | not_found    | >ready         | >ready         | =              | >ready         | =              | =              | =              | not_found
sees an old worker | not_found    | =              | =              | =              | =              | =              | =              | =              | not_found
hears nobody       | not_found    | =              | =              | >unavailable   | =              | =              | =              | =              | not_found
sees no job        | not_found    | =              | =              | =              | =              | =              | >stopped       | =              | not_found
sees no job yet    | not_found    | =              | =              | =              | =              | =              | =              | =              | not_found
`;

const rows = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));
const stories = rows[0]!.slice(1);
const cells = rows
  .slice(1)
  .flatMap(([command, ...row]) => row.map((cell, at) => ({ command: command!, story: stories[at]!, cell })));

function outcomeOf(command: string, story: string): string {
  const past = STORIES[story as keyof typeof STORIES];
  const before = past.state();
  const decision = commands[command]!(before);
  if (!decision.ok) return decision.rejection;
  if (decision.events.length === 0) return '=';
  const { status } = past.and(...decision.events).state();
  return status === before.status ? '+' : `>${status}`;
}

describe('the life of a deployment (accounts, Status of a deployment)', () => {
  it('has a cell for every command and every status', () => {
    expect(new Set(stories)).toEqual(new Set(Object.keys(STORIES)));
    expect(new Set(rows.slice(1).map(([command]) => command))).toEqual(new Set(Object.keys(commands)));
  });

  it.each(cells)('$command when $story: $cell', ({ command, story, cell }) => {
    expect(outcomeOf(command, story)).toBe(cell);
  });
});

describe('the drawing of the life of a deployment', () => {
  it('shows exactly the edges of the table', () => {
    const page = readFileSync(new URL('../../../../docs/architecture/15-deployments.md', import.meta.url), 'utf8');
    const drawing = /```mermaid\nstateDiagram([^`]*)```/.exec(page)?.[1] ?? '';
    const drawn = [...drawing.matchAll(/^\s*(\S+) --> (\w+)/gm)].map(
      ([, from, to]) => `${from === '[*]' ? 'uncreated' : from} > ${to}`,
    );
    const edges = cells.flatMap(({ command, story }) => edgesOf(command, STORIES[story as keyof typeof STORIES]));
    expect(drawn.sort()).toEqual([...new Set(edges)].sort());
  });
});

/** The changes of status that the events of one decision make, one by one. */
function edgesOf(command: string, past: Story<DeploymentState, DeploymentEvent>): readonly string[] {
  const decision = commands[command]!(past.state());
  if (!decision.ok) return [];
  const statuses = [0, ...decision.events.keys()].map(
    (_, taken) => past.and(...decision.events.slice(0, taken)).state().status,
  );
  return statuses.slice(1).flatMap((to, at) => (statuses[at] === to ? [] : [`${statuses[at]} > ${to}`]));
}
