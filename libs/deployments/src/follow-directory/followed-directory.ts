import { setTimeout as delay } from 'node:timers/promises';
import type {
  DeploymentDirectory,
  DeploymentFeed,
  DeploymentId,
  DeploymentStage,
  DirectoryEntry,
} from '@heddle/contracts-messages';
import { DirectoryFollower } from './directory-follower.js';
import { MemoryDirectory } from './memory-directory.js';

/** The service answers at least so often: an answer without news proves that the directory is up to date. */
const WAIT_MS = 5_000;
/** A start waits so long for the first answer, so that the first request finds its deployment. */
const FIRST_ANSWER_MS = 10_000;

/**
 * The directory of a process that reaches deployments over the network. While the service is unreachable the directory
 * stays as it was, and `trouble` says so. Before the first answer each look-up fails, because a host that is not in the
 * directory may be in the answer.
 */
export class FollowedDirectory implements DeploymentDirectory {
  readonly #directory = new MemoryDirectory();
  readonly #follower: DirectoryFollower;
  readonly #first = Promise.withResolvers<void>();

  /** `log` hears when the feed goes away and when it is back. */
  constructor(feed: DeploymentFeed, log: (line: string, error: unknown) => void) {
    const apply: MemoryDirectory['apply'] = (changes) => {
      this.#directory.apply(changes);
      this.#first.resolve();
    };
    this.#follower = new DirectoryFollower(
      feed,
      { apply },
      {
        waitMs: WAIT_MS,
        onError: (error) => log('the directory of deployments stays as it is', error),
        onRecovered: () => log('the directory of deployments is up to date again', null),
      },
    );
  }

  /** Resolves after the first answer, or when it takes too long: the process serves what needs no deployment. */
  async start(stopping: AbortSignal): Promise<void> {
    this.#follower.start();
    const late = delay(FIRST_ANSWER_MS, undefined, { signal: stopping }).catch(() => undefined);
    await Promise.race([this.#first.promise, late]);
  }

  async stop(): Promise<void> {
    await this.#follower.stop();
  }

  /** Why the directory may be out of date; null: it is not. */
  get trouble(): string | null {
    if (!this.#follower.isBehind) return null;
    const { ageMs } = this.#follower;
    return ageMs === null ? 'the deployments were not read yet' : `not read for ${Math.round(ageMs / 1_000)} s`;
  }

  /** False before the first answer. */
  get isRead(): boolean {
    return this.#follower.ageMs !== null;
  }

  /** Since the last answer, in seconds; -1 before the first one. */
  get ageS(): number {
    const { ageMs } = this.#follower;
    return ageMs === null ? -1 : ageMs / 1_000;
  }

  find(label: string, stage: DeploymentStage): DirectoryEntry | null {
    return this.#read().find(label, stage);
  }

  byId(deploymentId: DeploymentId): DirectoryEntry | null {
    return this.#read().byId(deploymentId);
  }

  #read(): MemoryDirectory {
    if (this.isRead) return this.#directory;
    throw new Error('the deployments are not known yet: the jobs service has not answered since the start');
  }
}
