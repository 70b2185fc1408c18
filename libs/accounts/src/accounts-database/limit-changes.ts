import { limitProblem } from '@heddle/accounts-domain';
import type { LimitName } from '@heddle/accounts-domain';
import type { LimitChanges } from '@heddle/contracts-messages';

/** In the order of the parameters of the statements. */
const LIMITS = [
  ['queueDepth', 'queue_depth'],
  ['running', 'running'],
  ['streams', 'streams'],
  ['storageBytes', 'storage_bytes'],
  ['readRate', 'read_rate'],
  ['readBurst', 'read_burst'],
] as const satisfies readonly (readonly [LimitName, string])[];

/** The problem of each limit by its wire name. */
export function limitProblems(changes: LimitChanges): Record<string, string | null> {
  return Object.fromEntries(
    LIMITS.map(([name, wire]) => [wire, changes[name] === undefined ? null : limitProblem(name, changes[name])]),
  );
}

/** Six values; an absent limit is null. */
export function limitValues(changes: LimitChanges): (number | null)[] {
  return LIMITS.map(([name]) => changes[name] ?? null);
}

/** Which of the six are given. */
export function givenLimits(changes: LimitChanges): boolean[] {
  return LIMITS.map(([name]) => changes[name] !== undefined);
}
