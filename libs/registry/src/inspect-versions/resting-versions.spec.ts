import { describe, expect, it } from 'vitest';
import { RestingVersions } from './resting-versions.js';

describe('versions whose inspection failed', () => {
  it('rest twice as long after each failure, and at most ten minutes', () => {
    const resting = new RestingVersions();
    const rests = Array.from({ length: 9 }, () => resting.failed('a', 0) / 1_000);
    expect(rests).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600]);
  });

  it('are tried again once their rest is over, each at its time', () => {
    const resting = new RestingVersions();
    resting.failed('a', 0);
    resting.failed('a', 5_000);
    resting.failed('b', 6_000);
    expect(resting.ids(10_000)).toEqual(['a', 'b']);
    expect(resting.ids(11_000)).toEqual(['a']);
    expect(resting.ids(15_000)).toEqual([]);
  });

  it('begin anew after an inspection that succeeded', () => {
    const resting = new RestingVersions();
    resting.failed('a', 0);
    resting.inspected('a');
    expect(resting.ids(1)).toEqual([]);
    expect(resting.failed('a', 2)).toBe(5_000);
  });

  it('are a bounded number: of more the one that failed first is tried again', () => {
    const resting = new RestingVersions();
    for (let at = 0; at < 1_001; at++) resting.failed(`version ${at}`, 0);
    const ids = resting.ids(1);
    expect([ids.length, ids.includes('version 0'), ids.includes('version 1000')]).toEqual([1_000, false, true]);
  });
});
