const FIRST_REST_MS = 5_000;
const MAX_REST_MS = 600_000;
/** Their ids are in each look for others. */
const MAX_RESTING = 1_000;

interface Rest {
  readonly lengthMs: number;
  readonly untilMs: number;
}

/**
 * Versions whose inspection failed. Each rests twice as long after every failure, so that one whose bytes are gone, which
 * waits until somebody restores or deletes it, is not read and logged every few seconds.
 */
export class RestingVersions {
  readonly #rests = new Map<string, Rest>();

  /** Returns for how long it rests. `now`: milliseconds of any clock that does not go back. */
  failed(versionId: string, now: number): number {
    const before = this.#rests.get(versionId)?.lengthMs;
    const lengthMs = before === undefined ? FIRST_REST_MS : Math.min(2 * before, MAX_REST_MS);
    this.#rests.delete(versionId);
    this.#rests.set(versionId, { lengthMs, untilMs: now + lengthMs });
    // The one that failed the longest ago is tried again soonest.
    if (this.#rests.size > MAX_RESTING) this.#rests.delete(this.#rests.keys().next().value!);
    return lengthMs;
  }

  inspected(versionId: string): void {
    this.#rests.delete(versionId);
  }

  ids(now: number): readonly string[] {
    return [...this.#rests].filter(([, { untilMs }]) => untilMs > now).map(([versionId]) => versionId);
  }
}
