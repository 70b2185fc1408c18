import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { AccountsDatabase } from '../accounts-database/accounts-database.js';
import { KeyCache } from '../check-key/key-cache.js';
import { NOTE_KEY_USE } from './note-key-use.sql.js';

const MINUTE_MS = 60_000;
const WRITE_EVERY_MS = 5_000;
const MAX_NOTED = 100_000;
const BATCH = 500;

/** Writes the time of last use of keys: at most once a minute for each, and never while a request waits. */
@Injectable()
export class KeyUse implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(KeyUse.name);
  /** When each key was noted last. */
  readonly #noted = new Map<string, number>();
  #unwritten = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly database: AccountsDatabase,
    private readonly cache: KeyCache,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => void this.write(), WRITE_EVERY_MS);
    this.#timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.write();
  }

  note(keyId: string): void {
    const now = this.cache.now();
    const last = this.#noted.get(keyId);
    if (last !== undefined && now - last < MINUTE_MS) return;
    this.#noted.delete(keyId);
    this.#noted.set(keyId, now);
    const oldest = this.#noted.keys().next();
    if (this.#noted.size > MAX_NOTED && !oldest.done) this.#noted.delete(oldest.value);
    if (this.#unwritten.size < MAX_NOTED) this.#unwritten.set(keyId, now);
  }

  /** A time that cannot be written is noted again with the next use. */
  async write(): Promise<void> {
    const all = [...this.#unwritten];
    this.#unwritten = new Map();
    for (let at = 0; at < all.length; at += BATCH) {
      const batch = all.slice(at, at + BATCH);
      const now = this.cache.now();
      const ages = batch.map(([, usedAt]) => now - usedAt);
      try {
        await this.database.query(NOTE_KEY_USE, [batch.map(([keyId]) => keyId), ages]);
      } catch (error) {
        for (const [keyId] of all.slice(at)) this.#noted.delete(keyId);
        this.#logger.warn({ message: 'times of last use of keys were not written', reason: String(error) });
        return;
      }
    }
  }
}
