/** More than these are inspected to their end where they are: their ids are in each look for others. */
const MAX_WAITING = 200;

/**
 * Versions whose inspection takes long, one after the other, beside the quick ones. Only this process knows of them: after a
 * crash they are found as the others are, and come here again.
 */
export class LongLane<Version extends { readonly version_id: string }> {
  readonly #versions = new Map<string, Version>();
  #running: Promise<void> | null = null;

  /** `inspect` must not reject. */
  constructor(private readonly inspect: (version: Version) => Promise<void>) {}

  get isFull(): boolean {
    return this.#versions.size >= MAX_WAITING;
  }

  add(version: Version): void {
    this.#versions.set(version.version_id, version);
    this.#running ??= this.#inspectAll().finally(() => {
      this.#running = null;
    });
  }

  ids(): readonly string[] {
    return [...this.#versions.keys()];
  }

  /** Forgets those that have not begun; they wait for the next start. */
  async stop(): Promise<void> {
    this.#versions.clear();
    await this.#running;
  }

  async #inspectAll(): Promise<void> {
    for (let next = this.#first(); next !== undefined; next = this.#first()) {
      await this.inspect(next);
      this.#versions.delete(next.version_id);
    }
  }

  #first(): Version | undefined {
    return this.#versions.values().next().value;
  }
}
