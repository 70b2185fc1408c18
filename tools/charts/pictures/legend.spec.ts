import { describe, expect, it } from 'vitest';
import { distinctLegends, legendOf } from './legend.ts';

describe('the legend of a series', () => {
  it.each([
    ['errors', {}, 'errors'],
    ['{{status}}', { status: '200' }, '200'],
    ['{{ operation }} {{outcome}}', { operation: 'read', outcome: 'ok' }, 'read ok'],
    ['{{deployment}} waiting', {}, 'waiting'],
  ])('%s with the labels %j is "%s"', (template, labels, legend) => {
    expect(legendOf(template, labels)).toBe(legend);
  });

  it('gets a number if another one is equal', () => {
    expect(distinctLegends(['a', 'b', 'a', 'a'])).toEqual(['a', 'b', 'a 2', 'a 3']);
  });
});
