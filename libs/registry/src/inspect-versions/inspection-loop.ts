import { Injectable } from '@nestjs/common';
import { RegistryLogger } from '../registry-logger.js';
import { VersionInspector } from './version-inspector.js';
import { WaitingVersions } from './waiting-versions.js';

/** How often versions are looked for that no commit of this process told of. */
const LOOK_MS = 5_000;

/** Looks into the versions that wait, one after the other. */
@Injectable()
export class InspectionLoop {
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #asked = false;

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
    await this.#running;
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
    const failed: string[] = [];
    while (this.#asked && !signal.aborted) {
      this.#asked = false;
      try {
        for (let found = await this.waiting.next(failed); found !== null; found = await this.waiting.next(failed)) {
          if (signal.aborted) return;
          const { version_id, node_id, version } = found;
          await this.inspector.inspect(found, signal).catch((error: unknown) => {
            failed.push(version_id);
            if (!signal.aborted) this.logger.error(`${node_id}@${version} was not inspected: it is tried again`, error);
          });
        }
      } catch (error) {
        this.logger.error('versions that wait were not found', error);
      }
    }
  }
}
