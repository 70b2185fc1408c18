import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseVersion } from './version-number.js';

const number = fc.oneof(fc.nat(3), fc.nat(999_999_999));
const numeric = fc.oneof(fc.nat(11), fc.nat(999_999_999)).map(String);
const word = fc.stringMatching(/^[0-9A-Za-z-]{0,4}[A-Za-z-][0-9A-Za-z-]{0,4}$/);
const identifier = fc.oneof(numeric, word, fc.constantFrom('alpha', 'beta', 'rc', 'a', 'A', '-', '--', '0a'));
const version = fc
  .record({
    core: fc.tuple(number, number, number),
    pre: fc.oneof(fc.constant([]), fc.array(identifier, { minLength: 1, maxLength: 3 })),
  })
  .map(({ core, pre }) => core.join('.') + (pre.length === 0 ? '' : `-${pre.join('.')}`))
  .filter((text) => text.length <= 64);

/** Precedence of two versions, as semver.org (2.0.0, 11) says it. */
function compare(left: string, right: string): number {
  const [a, b] = [partsOf(left), partsOf(right)];
  for (const at of [0, 1, 2]) if (a.core[at] !== b.core[at]) return a.core[at]! - b.core[at]!;
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  for (let at = 0; at < Math.min(a.pre.length, b.pre.length); at += 1) {
    const order = compareIdentifiers(a.pre[at]!, b.pre[at]!);
    if (order !== 0) return order;
  }
  return a.pre.length - b.pre.length;
}

function partsOf(text: string): { readonly core: readonly number[]; readonly pre: readonly string[] } {
  const dash = text.indexOf('-');
  const core = dash < 0 ? text : text.slice(0, dash);
  return { core: core.split('.').map(Number), pre: dash < 0 ? [] : text.slice(dash + 1).split('.') };
}

function compareIdentifiers(a: string, b: string): number {
  const isNumber = (one: string): boolean => /^\d+$/.test(one);
  if (isNumber(a) && isNumber(b)) return Number(a) - Number(b);
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1;
  return order(a, b);
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

describe('versions in the order of their keys', () => {
  // A failure prints its seed.
  it('have the precedence of semantic versioning', () => {
    fc.assert(
      fc.property(version, version, (left, right) => {
        const [a, b] = [parseVersion(left), parseVersion(right)];
        expect(a).not.toBeNull();
        expect(b).not.toBeNull();
        expect(order(a!.sortKey, b!.sortKey)).toBe(Math.sign(compare(left, right)));
      }),
      { numRuns: 5_000 },
    );
  });

  it('have the same key where they are written otherwise', () => {
    expect(parseVersion('v1.2')).toEqual(parseVersion('1.2.0'));
  });
});
