import type { Answer, CommittedOutput, MintedAsset } from '@heddle/contracts-messages';
import { METRICS } from '@heddle/platform-telemetry';
import type { Counter, Gauge, MetricsRegistry } from '@heddle/platform-telemetry';
import type { Finding } from './scrub-blobs/examine-blob.js';

/** What the assets service counts. */
export class AssetsMetrics {
  readonly #bytes: Counter;
  readonly #taken: Counter;
  readonly #blobs: Counter;
  readonly #damaged: Gauge;
  readonly #strays: Gauge;
  readonly #uploads: Counter;
  readonly #published: Counter;
  readonly #age: Gauge;

  constructor(registry: MetricsRegistry) {
    this.#bytes = registry.counter(...METRICS.scrubbedBytes);
    this.#taken = registry.counter(...METRICS.assetBytes);
    this.#blobs = registry.counter(...METRICS.scrubbedBlobs);
    this.#damaged = registry.gauge(...METRICS.damagedBlobs);
    this.#strays = registry.gauge(...METRICS.strayObjects);
    this.#uploads = registry.counter(...METRICS.strayUploads);
    this.#published = registry.counter(...METRICS.assetEventsPublished);
    this.#age = registry.gauge(...METRICS.assetOutboxLag);
  }

  /** Passes the answer on; `known`: the account had these bytes already. */
  uploaded(answer: Answer<MintedAsset>): Answer<MintedAsset> {
    if (answer.ok) {
      const { asset, created } = answer.value;
      this.#taken.add({ source: 'upload', dedup: created ? 'new' : 'known' }, asset.sizeBytes);
    }
    return answer;
  }

  /** Passes the output on. */
  stored(output: CommittedOutput): CommittedOutput {
    this.#taken.add({ source: 'output', dedup: 'untold' }, output.sizeBytes);
    return output;
  }

  scrubbed(bytes: number): void {
    this.#bytes.add({}, bytes);
  }

  examined(finding: Finding | 'healed'): void {
    this.#blobs.add({ result: finding.replace(' ', '_') });
  }

  damaged(blobs: number): void {
    this.#damaged.set(blobs);
  }

  strays(objects: number, uploads: number): void {
    this.#strays.set(objects);
    this.#uploads.add({}, uploads);
  }

  published(events: number): void {
    this.#published.add({}, events);
  }

  outboxAge(seconds: number): void {
    this.#age.set(seconds);
  }
}
