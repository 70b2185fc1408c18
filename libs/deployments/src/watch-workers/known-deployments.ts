import type { DeploymentId } from '@heddle/contracts-messages';
import type { LogChanges, StoredDeployment } from '../commit-events/deployment-log.js';

/** The deployments that are not deleted, as far as the log was read, and which of them are new to this process. */
export class KnownDeployments {
  readonly #live = new Map<DeploymentId, StoredDeployment>();
  readonly #paused = new Set<DeploymentId>();
  /** Changed since the last look that acted on it: a look that failed is made up for. */
  readonly #changed = new Map<DeploymentId, StoredDeployment>();
  #next: string | null = null;

  /** From which to ask for the next changes. */
  get next(): string | null {
    return this.#next;
  }

  get count(): number {
    return this.#live.size;
  }

  get paused(): readonly DeploymentId[] {
    return [...this.#paused];
  }

  get changed(): readonly StoredDeployment[] {
    return [...this.#changed.values()];
  }

  get(id: DeploymentId): StoredDeployment | undefined {
    return this.#live.get(id);
  }

  apply({ deployments, next }: LogChanges): void {
    for (const deployment of deployments) this.#put(deployment);
    this.#next = next;
  }

  /** Everything was done that the changes asked for. */
  settle(): void {
    this.#changed.clear();
  }

  #put(deployment: StoredDeployment): void {
    const { id, state } = deployment;
    const known = this.#live.get(id);
    // Rows come again, also those of deleted ones.
    if (known === undefined ? state.status === 'deleted' : known.state.facts.version >= state.facts.version) return;
    if (state.status === 'deleted') this.#live.delete(id);
    else this.#live.set(id, deployment);
    if (state.status !== 'deleted' && state.facts.isPaused) this.#paused.add(id);
    else this.#paused.delete(id);
    this.#changed.set(id, deployment);
  }
}
