import { Injectable } from '@nestjs/common';
import { RegistryLog } from '../commit-events/registry-log.js';

/** A read's answer as it was sent. */
export interface KeptAnswer {
  readonly body: string;
  readonly tag: string;
  readonly contentType: string;
}

/** Of which node an answer shows the downloads, by its key; `every`: of any number of nodes; null: of none. */
export type ShownDownloads = { readonly node: string } | 'every' | null;

/** What was changed and counted before an answer was read. */
interface ReadMoment {
  readonly changes: number;
  readonly downloads: number;
}

/** Other replicas answer what is committed within 2 s (registry decisions, Cache). */
const LIFE_MS = 1_000;
const MAX_CHARACTERS = 16 * 1024 ** 2;

/**
 * Answers of the last second, so that a popular read costs no query. A change in this process evicts all of them; a
 * download evicts those that show its count, so that a popular package leaves the others alone.
 */
@Injectable()
export class ReadCache {
  readonly #kept = new Map<string, KeptAnswer & { readonly until: number }>();
  /** Keys of answers by whose downloads they show. */
  readonly #counting = new Map<string, Set<string>>();
  #characters = 0;
  #changes = 0;
  #downloads = 0;

  constructor(log: RegistryLog) {
    log.onCommitted(() => this.changed());
  }

  /** Differs after every change and download of this process: an answer from before one is not kept. */
  now(): ReadMoment {
    return { changes: this.#changes, downloads: this.#downloads };
  }

  find(key: string, now = Date.now()): KeptAnswer | null {
    const kept = this.#kept.get(key);
    return kept !== undefined && kept.until > now ? kept : null;
  }

  /** `since`: when the answer began to be read. */
  keep(key: string, answer: KeptAnswer, since: ReadMoment, shows: ShownDownloads): void {
    if (since.changes !== this.#changes) return;
    if (shows !== null && since.downloads !== this.#downloads) return;
    this.#drop(key);
    const characters = charactersOf(key, answer);
    if (this.#characters + characters > MAX_CHARACTERS) this.#evictAll();
    this.#characters += characters;
    this.#kept.set(key, { ...answer, until: Date.now() + LIFE_MS });
    if (shows === null) return;
    const label = labelOf(shows);
    this.#counting.set(label, (this.#counting.get(label) ?? new Set()).add(key));
  }

  changed(): void {
    this.#changes++;
    this.#evictAll();
  }

  /** A download of a node, by its key. */
  downloaded(node: string): void {
    this.#downloads++;
    for (const label of [labelOf({ node }), labelOf('every')]) {
      for (const key of this.#counting.get(label) ?? []) this.#drop(key);
      this.#counting.delete(label);
    }
  }

  /** Subtracts the size of a dropped answer. Without this, downloads of one popular package would evict all answers repeatedly. */
  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#characters -= charactersOf(key, kept);
    this.#kept.delete(key);
  }

  #evictAll(): void {
    this.#kept.clear();
    this.#counting.clear();
    this.#characters = 0;
  }
}

function charactersOf(key: string, { body }: KeptAnswer): number {
  return key.length + body.length;
}

function labelOf(shows: Exclude<ShownDownloads, null>): string {
  return shows === 'every' ? '' : shows.node;
}
