import type { TaskFacts } from './task-id.js';

export type SimulatedState = 'created' | 'queueing' | 'processing' | 'success' | 'failed';

/** When a task enters each state after `created`, as part of its life. */
const ENTERED = [
  ['queueing', 0.1],
  ['processing', 0.3],
] as const;
const LIFE_MS = 1_000;
const SLOW_LIFE_MS = 10_000;

interface Change {
  readonly state: SimulatedState;
  readonly at: number;
}

/** The whole life of a task, known from its id. */
export function lifeOf({ createdAt, fault }: TaskFacts): readonly Change[] {
  const life = fault === 'slow' ? SLOW_LIFE_MS : LIFE_MS;
  return [
    { state: 'created', at: createdAt },
    ...ENTERED.map(([state, part]) => ({ state, at: createdAt + life * part })),
    { state: fault === 'fail' ? 'failed' : 'success', at: createdAt + life },
  ];
}

export function stateAt(facts: TaskFacts, now: number): SimulatedState {
  return lifeOf(facts).findLast(({ at }) => at <= now)?.state ?? 'created';
}
