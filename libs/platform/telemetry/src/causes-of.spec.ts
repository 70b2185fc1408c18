import { describe, expect, it } from 'vitest';
import { causesOf } from './causes-of.js';

describe('the causes of a failure', () => {
  it('are the failure and its causes, outermost first', () => {
    const inner = { code: 'ECONNREFUSED' };
    const middle = new Error('middle', { cause: inner });
    const outer = new Error('outer', { cause: middle });
    expect(causesOf(outer)).toEqual([outer, middle, inner]);
  });

  it('include the errors of an AggregateError', () => {
    const errors = [new Error('one'), new Error('two')];
    const outer = new AggregateError(errors, 'both');
    expect(causesOf(outer)).toEqual([outer, ...errors]);
  });

  it('are none if the value is not an object', () => {
    for (const failure of [undefined, null, 'text', 5]) expect(causesOf(failure)).toEqual([]);
  });

  it('end at a cycle and after ten', () => {
    const cycle = new Error('cycle');
    cycle.cause = cycle;
    expect(causesOf(cycle)).toEqual([cycle]);
    let deep = new Error('innermost');
    for (let depth = 0; depth < 20; depth += 1) deep = new Error('wrapped', { cause: deep });
    expect(causesOf(deep)).toHaveLength(10);
  });
});
