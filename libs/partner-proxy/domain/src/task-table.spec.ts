import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nextStep, TASK_EVENTS } from './task.js';
import type { TaskEvent, TaskStep } from './task.js';

/** Every step against every event; `-`: nothing changes. */
const TABLE = `
               reserving  calling    under_way  settling   over
  reserved     calling    -          -          -          -
  uncovered    over       -          -          -          -
  interrupted  settling   -          -          -          -
  taken        -          under_way  -          -          -
  call_failed  -          settling   -          -          -
  moved        -          -          under_way  -          -
  ended        -          -          settling   -          -
  settled      -          -          -          over       -`;

const [header = [], ...rows] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const steps = header as readonly TaskStep[];
const cells = rows.flatMap(([event, ...row]) =>
  steps.map((step, at) => ({ event: event as TaskEvent, step, next: row[at] })),
);

describe('the steps of a task', () => {
  it('have a row for every event', () => {
    expect(rows.map(([event]) => event).sort()).toEqual(Object.keys(TASK_EVENTS).sort());
    expect(rows.map(({ length }) => length)).toEqual(rows.map(() => steps.length + 1));
  });

  it.each(cells)('$event at $step: $next', ({ event, step, next }) => {
    expect(nextStep(step, event) ?? '-').toBe(next);
  });

  it('are drawn as the table has them', () => {
    const page = readFileSync(new URL('../../../../docs/architecture/18-partner-proxy.md', import.meta.url), 'utf8');
    const drawing = /```mermaid\nstateDiagram([^`]*)```/.exec(page)?.[1] ?? '';
    const drawn = [...drawing.matchAll(/^\s*(\S+) --> ([^\s:]+)/gm)].map(([, from, to]) => `${from} > ${to}`);
    const edges = cells.flatMap(({ step, next }) => (next === '-' ? [] : [`${step} > ${next}`]));
    expect(drawn.sort()).toEqual([...edges, '[*] > reserving', 'over > [*]'].sort());
  });
});
