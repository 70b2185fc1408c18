import { backoffMs } from '@heddle/contracts-messages';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { BLOB_STORE } from '@heddle/platform-blob-store';
import type { BlobStore } from '@heddle/platform-blob-store';
import { RepeatGuard } from '@heddle/platform-telemetry';
import { VerdictWriter } from '../moderate-hash/verdict-writer.js';
import { AssetsSettings } from '../settings.js';
import { askScanner } from './ask-scanner.js';
import { SingletonTask } from '../run-alone/singleton-task.js';
import { ScanLane } from './scan-lane.js';
import type { UnscannedRow } from './scan-hashes.sql.js';
import { ScanQueue } from './scan-queue.js';

/** A hash that makes the scanner hang takes a slot for fresh ones once; later only slots of its own kind. */
const FRESH_SLOTS = 8;
const RETRY_SLOTS = 4;
const FIRST_RETRY_MS = 1_000;
const FAILURE_LINE_MS = 60_000;

/**
 * Sends the bytes of each uploaded hash to the scanner, once, in the background. One process does it at a time. Nothing
 * waits for it: uploads, mints and jobs go on until there is a verdict (decisions, Moderation).
 */
@Injectable()
export class HashScanner implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(HashScanner.name);
  readonly #failures = new RepeatGuard(FAILURE_LINE_MS);
  readonly #fresh = new ScanLane(FRESH_SLOTS);
  readonly #retries = new ScanLane(RETRY_SLOTS);
  readonly #stopping = new AbortController();
  readonly #task: SingletonTask;

  constructor(
    private readonly queue: ScanQueue,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly verdicts: VerdictWriter,
    private readonly settings: AssetsSettings,
  ) {
    this.#task = new SingletonTask({
      lease: queue.lease,
      step: async () => ((await this.step()) ? 0 : settings.moderationLookMs),
      onError: (error) => this.#failed('the queue of the scanner cannot be read', error),
    });
  }

  onApplicationBootstrap(): void {
    if (this.settings.moderationUrl !== null && this.settings.moderationLookMs > 0) this.#task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    await this.#task.stop();
    await this.ended();
  }

  /** Starts scans in every free slot. True if it must be called again at once. */
  async step(): Promise<boolean> {
    const { moderationUrl: url } = this.settings;
    if (url === null || !(await this.queue.lease.claim())) return false;
    await this.#fill(url, this.#fresh, 'fresh');
    await this.#fill(url, this.#retries, 'retries');
    return await this.queue.review();
  }

  /** Resolves when the scans that are under way have ended. */
  async ended(): Promise<void> {
    await Promise.all([this.#fresh.ended(), this.#retries.ended()]);
  }

  async #fill(url: URL, lane: ScanLane, kind: 'fresh' | 'retries'): Promise<void> {
    const room = lane.room(performance.now());
    if (room <= 0) return;
    const busy = [...this.#fresh.hashes, ...this.#retries.hashes];
    for (const row of await this.queue.next(kind, busy, room)) {
      lane.start(
        row.hash,
        () => this.#scan(url, row),
        () => this.#task.wake(),
      );
    }
  }

  async #scan(url: URL, row: UnscannedRow): Promise<boolean> {
    try {
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(this.settings.moderationTimeoutMs)]);
      const body = await this.store.read(row.object_key!);
      const { hash, content_type: contentType, size_bytes: sizeBytes } = row;
      const verdict = await askScanner(url, { hash, contentType, sizeBytes: sizeBytes!, body }, signal);
      await this.verdicts.scanned(hash, verdict);
      this.queue.scanned(verdict);
      if (verdict !== 'clean') this.#logger.log({ message: 'the scanner decided on uploaded bytes', hash, verdict });
      return true;
    } catch (error) {
      if (this.#stopping.signal.aborted) return false;
      this.#failed('a scan of uploaded bytes failed and will be repeated', error);
      await this.#postpone(row);
      return false;
    }
  }

  async #postpone({ hash, attempts }: UnscannedRow): Promise<void> {
    this.queue.scanned('failed');
    const pauseMs = backoffMs(attempts, FIRST_RETRY_MS, this.settings.moderationRetryMs);
    await this.queue.postpone(hash, pauseMs).catch((error: unknown) => {
      // The hash keeps its turn, and its lane pauses.
      this.#failed('a failed scan cannot be noted', error);
    });
  }

  /** Without the address of the scanner, which may contain a password. */
  #failed(message: string, error: unknown): void {
    const { name, message: reason } = error instanceof Error ? error : new Error(String(error));
    const suppressed = this.#failures.admit(`${message} ${reason}`);
    if (suppressed !== null) this.#logger.warn({ message, reason: `${name}: ${reason}`, suppressed });
  }
}
