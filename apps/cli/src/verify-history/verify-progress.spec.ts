import { expect, it } from 'vitest';
import { progressOn } from './history-verify.command.js';

it('the progress is a plain line every 10 s where nothing can be redrawn', () => {
  const said: string[] = [];
  let now = 0;
  const terminal = { live: false, draw: () => undefined, say: (line: string) => void said.push(line) };
  const tell = progressOn(terminal, () => now);
  for (; now <= 25_000; now += 500) tell({ phase: 'chain', events: BigInt(now), total: 100_000n });
  expect(said).toEqual(['chain: 10000 of 100000 events 1000/s', 'chain: 20000 of 100000 events 1000/s']);
});
