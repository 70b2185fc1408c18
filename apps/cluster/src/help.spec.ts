import { expect, it } from 'vitest';
import { renderHelp } from './help.js';

it('the help of the cluster fits into a terminal, and says the same as without one', () => {
  const wide = renderHelp(Number.MAX_SAFE_INTEGER);
  for (const columns of [80, 60]) {
    const narrow = renderHelp(columns);
    expect(narrow.split('\n').filter((line) => line.length > columns)).toEqual([]);
    expect(narrow.split(/\s+/)).toEqual(wide.split(/\s+/));
  }
});
