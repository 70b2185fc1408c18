import type { Answer, CommittedOutput, MintedAsset } from '@heddle/contracts-messages';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import type { Counter, Gauge } from 'prom-client';
import type { Finding } from './scrub-blobs/examine-blob.js';
import { ASSETS_METRICS } from './metrics.js';

export class AssetsMetrics {
  readonly #bytes: Counter<never>;
  readonly #taken: Counter<'source' | 'dedup'>;
  readonly #blobs: Counter<'result'>;
  readonly #damaged: Gauge<never>;
  readonly #orphans: Gauge<never>;
  readonly #uploads: Counter<never>;
  readonly #published: Counter<never>;
  readonly #age: Gauge<never>;
  readonly #lag: Gauge<never>;
  readonly #unscanned: Gauge<never>;
  readonly #scans: Counter<'result'>;

  constructor(registry: MetricsRegistry) {
    this.#bytes = registry.counter(ASSETS_METRICS.scrubbedBytes);
    this.#taken = registry.counter(ASSETS_METRICS.assetBytes);
    this.#blobs = registry.counter(ASSETS_METRICS.scrubbedBlobs);
    this.#damaged = registry.gauge(ASSETS_METRICS.damagedBlobs);
    this.#orphans = registry.gauge(ASSETS_METRICS.orphanObjects);
    this.#uploads = registry.counter(ASSETS_METRICS.orphanUploads);
    this.#published = registry.counter(ASSETS_METRICS.assetEventsPublished);
    this.#age = registry.gauge(ASSETS_METRICS.assetOutboxLag);
    this.#lag = registry.gauge(ASSETS_METRICS.moderationLag);
    this.#unscanned = registry.gauge(ASSETS_METRICS.moderationUnscanned);
    this.#scans = registry.counter(ASSETS_METRICS.moderationScans);
  }

  /** Returns the answer; `known`: the account already had these bytes. */
  uploaded(answer: Answer<MintedAsset>): Answer<MintedAsset> {
    if (answer.ok) {
      const { asset, created } = answer.value;
      this.#taken.inc({ source: 'upload', dedup: created ? 'new' : 'known' }, asset.sizeBytes);
    }
    return answer;
  }

  /** Returns the output. */
  stored(output: CommittedOutput): CommittedOutput {
    this.#taken.inc({ source: 'output', dedup: 'untold' }, output.sizeBytes);
    return output;
  }

  scrubbed(bytes: number): void {
    this.#bytes.inc(bytes);
  }

  examined(finding: Finding | 'healed'): void {
    this.#blobs.inc({ result: finding.replace(' ', '_') });
  }

  damaged(blobs: number): void {
    this.#damaged.set(blobs);
  }

  orphans(objects: number, uploads: number): void {
    this.#orphans.set(objects);
    this.#uploads.inc(uploads);
  }

  published(events: number): void {
    this.#published.inc(events);
  }

  outboxAge(seconds: number): void {
    this.#age.set(seconds);
  }

  scanned(result: 'clean' | 'blocked' | 'held' | 'failed'): void {
    this.#scans.inc({ result });
  }

  backlog(ageSeconds: number, hashes: number): void {
    this.#lag.set(ageSeconds);
    this.#unscanned.set(hashes);
  }
}
