export interface BusHealth {
  readonly connected: boolean;
  /** The dependency that is missing, for `/readyz`; null if none. */
  readonly waitingFor: string | null;
}

/**
 * Combines the health of the parts of a bus. Each part reports a problem under its own name and clears it with null;
 * the oldest problem is shown.
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
