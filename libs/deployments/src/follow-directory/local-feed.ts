import { Inject, Injectable } from '@nestjs/common';
import { DEPLOYMENT_DIRECTORY } from '@heddle/contracts-messages';
import type { DeploymentFeed, DirectoryChanges } from '@heddle/contracts-messages';
import { DeploymentLog } from '../commit-events/deployment-log.js';
import { directoryEntry } from '../show-deployments/deployment-view.js';
import { ChangeWaits } from './change-waits.js';
import type { MemoryDirectory } from './memory-directory.js';

/** Reads what changed. A call that waits ends with a change of this process's directory, which follows all replicas. */
@Injectable()
export class LocalFeed implements DeploymentFeed {
  readonly #waits = new ChangeWaits();

  constructor(
    private readonly log: DeploymentLog,
    @Inject(DEPLOYMENT_DIRECTORY) directory: MemoryDirectory,
  ) {
    directory.onChanged(() => this.#waits.wake());
  }

  async changes(after: string | null, waitMs: number): Promise<DirectoryChanges> {
    const end = performance.now() + waitMs;
    // A wake may be for a change that was read before it: then the call waits on.
    for (let from = after; ;) {
      // Before the read: a change that the read is too early for ends the wait.
      const wait = this.#waits.begin(Math.max(0, end - performance.now()));
      try {
        const changes = await this.#read(from);
        if (changes.entries.length > 0 || after === null || !(await wait.isChanged)) return changes;
        from = changes.next;
      } finally {
        wait.end();
      }
    }
  }

  /** No call waits from now on: a process that stops ends its calls. */
  release(): void {
    this.#waits.close();
  }

  async #read(after: string | null): Promise<DirectoryChanges> {
    const { deployments, next } = await this.log.changes(after);
    return { entries: deployments.map(directoryEntry), next };
  }
}
