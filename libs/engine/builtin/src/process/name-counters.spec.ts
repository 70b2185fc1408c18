import { expect, it } from 'vitest';
import { NameCounters } from './name-counters.js';
import { describeResultCounters } from './result-counters.suite.js';

describeResultCounters('the numbers that an engine remembers', async () => {
  return await Promise.resolve({
    counters: new NameCounters(),
    write: () => Promise.resolve(),
    end: () => Promise.resolve(),
  });
});

it('the numbers that an engine remembers are those of an account', () => {
  const counters = new NameCounters();
  const take = (account: string): number => counters.take({ account, subfolder: '', base: 'a', count: 2 });
  expect([take('one'), take('two'), take('one')]).toEqual([1, 1, 3]);
});
