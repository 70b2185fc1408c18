import { BackgroundLogger } from '@heddle/platform-database';
import { Injectable } from '@nestjs/common';
import { outsideOfCalls } from '@heddle/platform-telemetry';
import { DeploymentLog } from '../commit-events/deployment-log.js';
import { DeploymentWatch, WatchParts } from './deployment-watch.js';
import { GONE_MS, WRITE_MS } from './seen-pools.js';

/**
 * The looks pause for so long after one that found no deployment. A new one in the directory ends the pause. The workers
 * of the shared pool must stay present meanwhile.
 */
const IDLE_MS = GONE_MS - WRITE_MS;

/** Looks again and again; soon after a commit of this process, because a command may want workers. */
@Injectable()
export class LookRepeater {
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #stopped = true;
  /** Since when the last looks have found no deployment; null: they found some. */
  #idleSince: number | null = null;

  constructor(
    private readonly watch: DeploymentWatch,
    private readonly parts: WatchParts,
    private readonly logger: BackgroundLogger,
    log: DeploymentLog,
  ) {
    log.onCommitted(() => this.#soon());
  }

  start(): void {
    this.#stopped = false;
    this.#next();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#round;
    await this.watch.leave().catch(() => undefined);
  }

  #soon(): void {
    if (this.#stopped || this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#idleSince = null;
    // The looks that follow are nobody's request: their log lines must not carry its id.
    this.#timer = outsideOfCalls(() => setTimeout(() => this.#next(), 0));
  }

  #next(): void {
    this.#timer = undefined;
    this.#round = this.watch
      .look()
      .then(
        (deployments) => {
          this.#idleSince = deployments === 0 ? performance.now() : null;
        },
        (error: unknown) => {
          if (!this.#stopped) this.logger.error('deployments were not looked at', error);
        },
      )
      .then(() => {
        if (!this.#stopped) this.#wait();
      });
  }

  /** A turn that finds nothing to look at costs a comparison in memory. */
  #wait(): void {
    this.#timer = setTimeout(() => (this.#isIdle() ? this.#wait() : this.#next()), this.parts.settings.lookMs);
  }

  #isIdle(): boolean {
    if (this.#idleSince === null || !this.parts.directory.isEmpty) return false;
    return performance.now() - this.#idleSince < IDLE_MS;
  }
}
