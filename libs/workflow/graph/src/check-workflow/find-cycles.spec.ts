import fc from 'fast-check';
import { fixedSeed as seed } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { cycleGroups, reachFrom, type DependencyRows } from './find-cycles.js';

function rowsOf(dependencies: readonly (readonly number[])[]): DependencyRows {
  const starts = [0];
  for (const row of dependencies) starts.push(starts[starts.length - 1]! + row.length);
  return { starts, sources: dependencies.flat() };
}

/** Nodes reachable from each node over at least one link, by brute force. */
function closure(dependencies: readonly (readonly number[])[]): boolean[][] {
  const reach = dependencies.map((row) => dependencies.map((_, to) => row.includes(to)));
  for (let k = 0; k < reach.length; k++) {
    for (const row of reach) if (row[k]) row.forEach((_, to) => (row[to] = row[to]! || reach[k]![to]!));
  }
  return reach;
}

const graphs = fc
  .integer({ min: 1, max: 9 })
  .chain((size) => fc.array(fc.array(fc.nat(size - 1), { maxLength: 3 }), { minLength: size, maxLength: size }));

describe(`walking along links (seed ${seed})`, () => {
  it('meets exactly what the start depends on, dependencies first, and knows whether there is a cycle', () => {
    fc.assert(
      fc.property(graphs, fc.nat(), (dependencies, start) => {
        const root = start % dependencies.length;
        const reach = closure(dependencies);
        const { met, order, hasCycle } = reachFrom([root], rowsOf(dependencies), dependencies.length);
        const expected = dependencies.map((_, node) => node === root || reach[root]![node]!);
        expect([...met].map(Boolean)).toEqual(expected);
        expect(hasCycle).toBe(expected.some((isMet, node) => isMet && reach[node]![node]!));
        expect([...order].sort()).toEqual(
          dependencies
            .map((_, node) => node)
            .filter((node) => expected[node])
            .sort(),
        );
        if (hasCycle) return;
        for (const node of order)
          for (const on of dependencies[node]!) expect(order.indexOf(on)).toBeLessThan(order.indexOf(node));
      }),
      { seed, numRuns: 500 },
    );
  });

  it('groups the nodes that depend on one another, and no others', () => {
    fc.assert(
      fc.property(graphs, (dependencies) => {
        const reach = closure(dependencies);
        const groups = cycleGroups(rowsOf(dependencies), new Uint8Array(dependencies.length).fill(1));
        dependencies.forEach((_, a) => {
          expect(groups[a] !== -1).toBe(reach[a]![a]!);
          dependencies.forEach((__, b) => {
            const together = groups[a] !== -1 && groups[a] === groups[b];
            expect(together).toBe(reach[a]![b]! && reach[b]![a]!);
          });
        });
      }),
      { seed, numRuns: 500 },
    );
  });

  it('does not recurse: a chain and a ring of 200,000 nodes', () => {
    const size = 200_000;
    const starts = Int32Array.from({ length: size + 1 }, (_, i) => i);
    const ring = Int32Array.from({ length: size }, (_, i) => (i + 1) % size);
    expect(reachFrom([0], { starts, sources: ring }, size)).toMatchObject({ hasCycle: true });
    expect(cycleGroups({ starts, sources: ring }, new Uint8Array(size).fill(1)).every((group) => group === 0)).toBe(
      true,
    );
  });
});
