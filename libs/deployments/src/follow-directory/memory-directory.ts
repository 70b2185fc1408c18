import type {
  DeploymentDirectory,
  DeploymentId,
  DeploymentStage,
  DirectoryChanges,
  DirectoryEntry,
} from '@heddle/contracts-messages';

/** Deployments in memory, by host label and by id. Deleted ones leave it; entries that come late change nothing. */
export class MemoryDirectory implements DeploymentDirectory {
  readonly #byId = new Map<DeploymentId, DirectoryEntry>();
  readonly #byName = new Map<string, DirectoryEntry>();
  /** Versions of deleted deployments: an older entry that comes late must not bring one back. */
  readonly #deleted = new Set<DeploymentId>();
  readonly #listeners = new Set<() => void>();

  /** Called after each change of the directory. */
  onChanged(listener: () => void): void {
    this.#listeners.add(listener);
  }

  find(label: string, stage: DeploymentStage): DirectoryEntry | null {
    return this.#byName.get(nameOf(label, stage)) ?? null;
  }

  byId(deploymentId: DeploymentId): DirectoryEntry | null {
    return this.#byId.get(deploymentId) ?? null;
  }

  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  apply({ entries }: Pick<DirectoryChanges, 'entries'>): void {
    const applied = entries.filter((entry) => this.#apply(entry));
    if (applied.length > 0) for (const listener of this.#listeners) listener();
  }

  /** True for an entry that is new here. */
  #apply(entry: DirectoryEntry): boolean {
    const { deploymentId, label, stage } = entry;
    const known = this.#byId.get(deploymentId);
    if (this.#deleted.has(deploymentId) || (known !== undefined && known.version >= entry.version)) return false;
    if (entry.status === 'deleted') {
      this.#deleted.add(deploymentId);
      this.#byId.delete(deploymentId);
      this.#byName.delete(nameOf(label, stage));
    } else {
      this.#byId.set(deploymentId, entry);
      this.#byName.set(nameOf(label, stage), entry);
    }
    return true;
  }
}

function nameOf(label: string, stage: DeploymentStage): string {
  return `${stage} ${label}`;
}
