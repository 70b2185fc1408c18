export interface BusHealth {
  readonly connected: boolean;
  /** What is missing, for a readiness answer; null when nothing is. */
  readonly waitingFor: string | null;
}

/**
 * Puts together what the parts of a bus wait for. Each part reports a problem under its own name and takes it back with null; the
 * oldest problem is the one that is told.
 */
export class HealthOfParts {
  readonly #problems = new Map<string, string>();

  constructor(private readonly onChange: (health: BusHealth) => void = () => undefined) {}

  report(part: string, problem: string | null): void {
    const before = this.health();
    if (problem === null) this.#problems.delete(part);
    else this.#problems.set(part, problem);
    const after = this.health();
    if (before.waitingFor !== after.waitingFor) this.onChange(after);
  }

  isWell(part: string): boolean {
    return !this.#problems.has(part);
  }

  health(): BusHealth {
    const [waitingFor = null] = this.#problems.values();
    return { connected: waitingFor === null, waitingFor };
  }
}
