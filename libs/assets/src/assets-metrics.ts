import type { Counter, Gauge, MetricsRegistry } from '@heddle/platform-telemetry';
import type { Finding } from './scrub-blobs/examine-blob.js';

/** Names and help of what the assets service counts. */
const NAMES = {
  scrubbedBytes: ['heddle_scrubbed_bytes_total', 'Bytes of stored blobs that were read again'],
  scrubbedBlobs: ['heddle_scrubbed_blobs_total', 'Stored blobs that were read again, by what was found'],
  damagedBlobs: ['heddle_damaged_blobs', 'Blobs whose bytes are not those of their hash, at the end of the last pass'],
  strayObjects: ['heddle_stray_objects', 'Old objects that no row of the database names, at the end of the last look'],
  strayUploads: ['heddle_stray_uploads_total', 'Uploads to the store that nobody finished and that were ended'],
  eventsPublished: ['heddle_asset_events_published_total', 'Asset events that the message bus has taken'],
  outboxAge: ['heddle_asset_outbox_lag_seconds', 'Age of the oldest asset event that is not published'],
} as const satisfies Record<string, readonly [name: string, help: string]>;

export class AssetsMetrics {
  readonly #bytes: Counter;
  readonly #blobs: Counter;
  readonly #damaged: Gauge;
  readonly #strays: Gauge;
  readonly #uploads: Counter;
  readonly #published: Counter;
  readonly #age: Gauge;

  constructor(registry: MetricsRegistry) {
    this.#bytes = registry.counter(...NAMES.scrubbedBytes);
    this.#blobs = registry.counter(...NAMES.scrubbedBlobs);
    this.#damaged = registry.gauge(...NAMES.damagedBlobs);
    this.#strays = registry.gauge(...NAMES.strayObjects);
    this.#uploads = registry.counter(...NAMES.strayUploads);
    this.#published = registry.counter(...NAMES.eventsPublished);
    this.#age = registry.gauge(...NAMES.outboxAge);
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
