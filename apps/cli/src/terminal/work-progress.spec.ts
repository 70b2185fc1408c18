import { expect, it } from 'vitest';
import { progressOn } from './work-progress.js';

it('the progress is a plain line every 10 s where nothing can be redrawn', () => {
  const said: string[] = [];
  let now = 0;
  const terminal = { live: false, draw: () => undefined, say: (line: string) => void said.push(line) };
  const tell = progressOn(terminal, () => now);
  for (; now <= 25_000; now += 500) tell({ phase: 'chain', events: BigInt(now), total: 100_000n });
  expect(said).toEqual([
    'chain: 10000 of 100000 events 1000/s, 1 min 30 s left',
    'chain: 20000 of 100000 events 1000/s, 1 min 20 s left',
  ]);
});

it('the progress is a bar on a terminal, and none where the end is not known', () => {
  const drawn: (readonly string[])[] = [];
  let now = 0;
  const terminal = { live: true, draw: (lines: readonly string[]) => void drawn.push(lines), say: () => undefined };
  const tell = progressOn(terminal, () => now);
  for (; now <= 400; now += 100) tell({ phase: 'export', events: now, total: 400 });
  expect(drawn.map(([line]) => line?.slice(24))).toEqual([
    ' export: 0 of 400 events',
    ' export: 200 of 400 events 1000/s, 200 ms left',
    ' export: 400 of 400 events 1000/s, 0 ms left',
  ]);
  now = 1_000;
  tell({ phase: 'lines', events: 7, total: null });
  expect(drawn.at(-1)).toEqual(['lines: 7 events']);
});

it('a phase is shown from its start: its first step may be long', () => {
  const drawn: (readonly string[])[] = [];
  let now = 0;
  const terminal = { live: true, draw: (lines: readonly string[]) => void drawn.push(lines), say: () => undefined };
  const tell = progressOn(terminal, () => now);
  tell({ phase: 'rebuild', events: 400, total: 400 });
  now = 1;
  tell({ phase: 'indexes', events: 0, total: 14, unit: 'steps' });
  expect(drawn.at(-1)![0]!.slice(24)).toBe(' indexes: 0 of 14 steps');
});
