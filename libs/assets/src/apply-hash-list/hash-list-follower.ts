import { stat } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { RepeatGuard } from '@heddle/platform-telemetry';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { VerdictWriter } from '../moderate-hash/verdict-writer.js';
import { AssetsSettings } from '../settings.js';
import { FIND_UNBLOCKED } from './apply-hash-list.sql.js';
import type { ListedRow } from './apply-hash-list.sql.js';
import { MAX_LIST_BYTES, readHashList } from './read-hash-list.js';

const BATCH = 1_000;
const FAILURE_LINE_MS = 60_000;

/**
 * Blocks the hashes of a file, whether their bytes are stored or not. Each replica follows its own copy of the file: a
 * line only ever blocks, so copies that differ for a while do no harm, and neither does a file that is half written.
 */
@Injectable()
export class HashListFollower implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(HashListFollower.name);
  readonly #failures = new RepeatGuard(FAILURE_LINE_MS);
  /** The file as it was when it was last applied. */
  #applied: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(
    private readonly database: AssetsDatabase,
    private readonly verdicts: VerdictWriter,
    private readonly settings: AssetsSettings,
  ) {}

  onApplicationBootstrap(): void {
    this.#plan(0);
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#looking;
  }

  /** Applies the file if it has changed. A failure is logged, and the next look tries again. */
  async look(): Promise<void> {
    const { moderationHashes: path } = this.settings;
    if (path === null) return;
    try {
      const { mtimeNs, size, ino } = await stat(path, { bigint: true });
      if (size > MAX_LIST_BYTES) throw new Error(`the file is larger than ${MAX_LIST_BYTES} bytes`);
      const found = `${mtimeNs} ${size} ${ino}`;
      if (found === this.#applied) return;
      // Changes while it is read give it another time or size.
      await this.#apply(path);
      this.#applied = found;
    } catch (error) {
      const reason = String(error);
      const suppressed = this.#failures.admit(reason);
      if (suppressed !== null) {
        this.#logger.error({ message: 'the list of blocked hashes cannot be applied', path, reason, suppressed });
      }
    }
  }

  async #apply(path: string): Promise<void> {
    const seen = { blocked: 0, unblockedByHand: 0, malformed: 0, firstMalformed: 0 };
    for await (const { hashes, malformed } of readHashList(path, BATCH)) {
      if (this.#stopped) return;
      seen.firstMalformed ||= malformed[0] ?? 0;
      seen.malformed += malformed.length;
      const open = await this.database.query<ListedRow>(FIND_UNBLOCKED, [hashes]);
      const listed = open.filter((row) => !row.by_hand).map((row) => row.hash);
      seen.unblockedByHand += open.length - listed.length;
      const judged = listed.length === 0 ? [] : await this.verdicts.listed(listed);
      seen.blocked += judged.filter((row) => row.changed).length;
    }
    const { blocked, unblockedByHand, malformed, firstMalformed } = seen;
    this.#logger.log({ message: 'the list of blocked hashes was read', path, blocked, unblockedByHand });
    if (malformed > 0) {
      const message = 'the list of blocked hashes has invalid lines; a line must be "blake3:" and 64 hex digits';
      this.#logger.warn({ message, path, lines: malformed, first: firstMalformed });
    }
  }

  #plan(waitMs: number): void {
    const { moderationHashes, moderationLookMs } = this.settings;
    if (this.#stopped || moderationHashes === null || moderationLookMs <= 0) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.look().finally(() => this.#plan(moderationLookMs));
    }, waitMs).unref();
  }
}
