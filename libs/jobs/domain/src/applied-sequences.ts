/**
 * The applied reports of one lease. A worker repeats a report until it is acknowledged. Some numbers never appear here:
 * `started` is not an event, and a report may be refused. With only the highest number, such a report would count as a
 * duplicate.
 */
export interface AppliedSequences {
  /** Every report from 1 to here was applied. */
  readonly through: number;
  /** Applied beyond a gap, ascending. */
  readonly beyond: readonly number[];
}

export const nothingApplied: AppliedSequences = { through: 0, beyond: [] };

export function hasApplied({ through, beyond }: AppliedSequences): boolean {
  return through > 0 || beyond.length > 0;
}

export function wasApplied(applied: AppliedSequences, sequence: number): boolean {
  return sequence <= applied.through || applied.beyond.includes(sequence);
}

export function withApplied(applied: AppliedSequences, sequence: number): AppliedSequences {
  if (wasApplied(applied, sequence)) return applied;
  if (sequence !== applied.through + 1) {
    return { through: applied.through, beyond: [...applied.beyond, sequence].sort((one, other) => one - other) };
  }
  let through = sequence;
  let taken = 0;
  while (applied.beyond[taken] === through + 1) {
    through += 1;
    taken += 1;
  }
  return { through, beyond: taken === 0 ? applied.beyond : applied.beyond.slice(taken) };
}
