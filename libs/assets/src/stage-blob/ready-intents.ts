import { Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { newBlobKey } from '@heddle/platform-blob-store';
import type { BlobKey } from '@heddle/platform-blob-store';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { AssetsSettings } from '../assets-settings.js';
import { CLOSE_INTENTS, OPEN_INTENTS } from './upload-intent.sql.js';

/** Opened ahead of need at most. */
const MOST_READY = 8;

/**
 * Intents that are opened ahead of need while outputs keep coming: the row is on stable storage before the object's first
 * byte all the same, and an output does not wait for it. As many are opened together as were taken within the second; a
 * lone output opens its own, and a second without any closes what is left. What is ready when the process dies is swept
 * like any other intent, and names no object.
 *
 * An intent that is committed asynchronously would be as quick and is not enough: a database server that crashes takes the
 * intents of the last moments with it, and just then commits lose their answers. Such an object is left to its row, and
 * there would be none: only the search for strays would find it, which removes nothing by itself.
 */
@Injectable()
export class ReadyIntents implements OnApplicationShutdown {
  #ready: ReadyIntent[] = [];
  #opening: Promise<void> | null = null;
  /** Takers that found none. */
  #waiting = 0;
  /** Taken in the second that runs, and in the one before. */
  #taken = 0;
  #takenBefore = 0;
  #second: NodeJS.Timeout | null = null;

  constructor(
    private readonly database: AssetsDatabase,
    private readonly settings: AssetsSettings,
  ) {}

  /** A key whose intent is open, with two thirds of its lease to come. */
  async take(): Promise<BlobKey> {
    for (;;) {
      const found = this.#ready.shift();
      if (found === undefined) await this.#wait();
      else if (performance.now() < found.staleAt) return this.#took(found.key);
    }
  }

  /** Those that are ready are of no use any more; the sweeper finds them. */
  forget(): void {
    this.#ready = [];
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.#second !== null) clearTimeout(this.#second);
    await this.#opening?.catch(ignore);
    await this.#close();
  }

  async #wait(): Promise<void> {
    this.#waiting += 1;
    try {
      await this.#open();
    } finally {
      this.#waiting -= 1;
    }
  }

  #took(key: BlobKey): BlobKey {
    this.#taken += 1;
    if (this.#ready.length < this.#ahead / 2) this.#open().catch(ignore);
    this.#second ??= this.#nextSecond();
    return key;
  }

  get #ahead(): number {
    return Math.min(MOST_READY, Math.max(this.#taken, this.#takenBefore));
  }

  #open(): Promise<void> {
    this.#opening ??= this.#openMore().finally(() => (this.#opening = null));
    return this.#opening;
  }

  async #openMore(): Promise<void> {
    const { uploadLeaseMs } = this.settings;
    const keys = Array.from({ length: Math.max(1, this.#waiting) + this.#ahead }, newBlobKey);
    const staleAt = performance.now() + uploadLeaseMs / 3;
    await this.database.query(OPEN_INTENTS, [keys, uploadLeaseMs]);
    this.#ready.push(...keys.map((key) => ({ key, staleAt })));
  }

  #nextSecond(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#takenBefore = this.#taken;
      this.#taken = 0;
      this.#second = this.#takenBefore > 0 ? this.#nextSecond() : null;
      if (this.#second === null) void this.#close();
    }, 1_000).unref();
  }

  async #close(): Promise<void> {
    const keys = this.#ready.splice(0).map(({ key }) => key);
    if (keys.length > 0) await this.database.query(CLOSE_INTENTS, [keys]).catch(ignore);
  }
}

interface ReadyIntent {
  readonly key: BlobKey;
  /** performance.now() from which it is too old to begin with. */
  readonly staleAt: number;
}

function ignore(): void {
  // Whoever waits is told; what is left open is found by the sweeper.
}
