import type { Random } from '@heddle/testing-seed';
import { BUILD_FAULTS } from './build-faults.ts';
import type { Family, Fault } from './fault.ts';
import { NETWORK_FAULTS } from './network-faults.ts';
import { PROCESS_FAULTS } from './process-faults.ts';
import { SERVER_FAULTS } from './server-faults.ts';

export const FAULTS: readonly Fault[] = [...PROCESS_FAULTS, ...BUILD_FAULTS, ...SERVER_FAULTS, ...NETWORK_FAULTS];

/** Endless rounds of one fault, or of two with different victims. Every fault occurs once before any repeats. */
export function* rounds(random: Random, faults: readonly Fault[]): Generator<readonly Fault[]> {
  let deck: Fault[] = [];
  for (;;) {
    if (deck.length === 0) deck = dealt(random, faults);
    const first = deck.shift()!;
    const at = deck.findIndex((other) => isCompatible(first, other));
    if (first.alone === true || at < 0 || random.below(3) === 0) yield [first];
    else yield [first, ...deck.splice(at, 1)];
  }
}

/** Shuffles the faults with their families in turn, so that a short campaign covers each family. */
function dealt(random: Random, faults: readonly Fault[]): Fault[] {
  const piles = new Map<Family, Fault[]>();
  for (const fault of shuffled(random, faults)) piles.set(fault.family, [...(piles.get(fault.family) ?? []), fault]);
  const deck: Fault[] = [];
  while (deck.length < faults.length) for (const pile of piles.values()) deck.push(...pile.splice(0, 1));
  return deck;
}

function isCompatible(first: Fault, other: Fault): boolean {
  return other.alone !== true && other.victim !== first.victim;
}

function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0]!);
}
