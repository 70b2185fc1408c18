import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CAMPAIGN_CHECKS } from './campaign-evidence.ts';
import { checksOf, INVARIANTS, renderInvariants } from './invariants.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

describe('the table of invariants', () => {
  it('has all 39, in order', () => {
    expect(INVARIANTS.map(({ name }) => name)).toEqual(Array.from({ length: 39 }, (_, at) => `I${at + 1}`));
  });

  it.each(INVARIANTS.map((invariant) => [invariant.name, invariant] as const))(
    '%s is held by a check, or by tests that exist',
    (_, invariant) => {
      const { tests = [] } = invariant;
      expect(checksOf(invariant).length + tests.length).toBeGreaterThan(0);
      expect(tests.filter((path) => !existsSync(resolve(ROOT, path)))).toEqual([]);
    },
  );

  it('lists every check once, with its whole text', () => {
    expect(new Set(CAMPAIGN_CHECKS).size).toBe(CAMPAIGN_CHECKS.length);
    expect(renderInvariants().split('\n').length).toBeGreaterThan(INVARIANTS.length * 2);
  });
});
