import { Injectable } from '@nestjs/common';
import { BlobMissingError } from '@heddle/platform-blob-store';
import { RegistryLogger } from '../registry-logger.js';
import { LongLane } from './long-lane.js';
import { RestingVersions } from './resting-versions.js';
import type { InspectionLane } from './stored-package-inspector.js';
import { VersionInspector } from './version-inspector.js';
import { WaitingVersions } from './waiting-versions.js';
import type { WaitingVersion } from './waiting-versions.sql.js';

/** How often versions are looked for that no commit of this process told of. */
const LOOK_MS = 5_000;

/**
 * Looks into the versions that wait, one after the other. One that takes long goes on in a lane of its own, so that it does not
 * hold up the others.
 */
@Injectable()
export class InspectionLoop {
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #asked = false;
  readonly #resting = new RestingVersions();
  readonly #long = new LongLane<WaitingVersion>((found) => this.#inspect(found, 'long'));

  constructor(
    private readonly waiting: WaitingVersions,
    private readonly inspector: VersionInspector,
    private readonly logger: RegistryLogger,
  ) {}

  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref();
    this.look();
  }

  /** The version that is looked into waits for the next start. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort();
    await Promise.all([this.#running, this.#long.stop()]);
  }

  /** One look at a time; what is committed during a look is looked at after it. */
  look(): void {
    this.#asked = true;
    this.#running ??= this.#inspectAll().finally(() => {
      this.#running = null;
    });
  }

  async #inspectAll(): Promise<void> {
    const { signal } = this.#stop;
    while (this.#asked && !signal.aborted) {
      this.#asked = false;
      try {
        for (let found = await this.#next(); found !== null; found = await this.#next()) {
          if (signal.aborted) return;
          await this.#inspect(found, this.#long.isFull ? 'long' : 'quick');
        }
      } catch (error) {
        this.logger.error('versions that wait were not found', error);
      }
    }
  }

  async #next(): Promise<WaitingVersion | null> {
    return await this.waiting.next([...this.#resting.ids(performance.now()), ...this.#long.ids()]);
  }

  async #inspect(found: WaitingVersion, lane: InspectionLane): Promise<void> {
    const { signal } = this.#stop;
    const { version_id: id, node_id: node, version } = found;
    try {
      await this.inspector.inspect(found, lane, signal);
      this.#resting.inspected(id);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Error && error.name === 'LongInspectionError') return this.#long.add(found);
      const restMs = this.#resting.failed(id, performance.now());
      const again = `it is tried again, after ${restMs / 1_000} s at the earliest`;
      this.logger.error(
        error instanceof BlobMissingError
          ? `the bytes of ${node}@${version} are not in the store: restore them from the backup, or delete the version; ${again}`
          : `${node}@${version} was not inspected; ${again}`,
        error,
      );
    }
  }
}
