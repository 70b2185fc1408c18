import type { MetricDeclaration } from '@heddle/platform-telemetry';

export const ASSETS_METRICS = {
  assetBytes: {
    name: 'heddle_asset_bytes_total',
    help: 'Bytes of uploads and outputs; for uploads also whether the account already had them',
    labelNames: ['source', 'dedup'],
  },
  scrubbedBytes: { name: 'heddle_scrubbed_bytes_total', help: 'Bytes of stored blobs that were read again' },
  scrubbedBlobs: {
    name: 'heddle_scrubbed_blobs_total',
    help: 'Stored blobs that were read again, by result',
    labelNames: ['result'],
  },
  damagedBlobs: {
    name: 'heddle_damaged_blobs',
    help: 'Blobs whose bytes do not match their hash, at the end of the last pass',
  },
  orphanObjects: {
    name: 'heddle_stray_objects',
    help: 'Old objects that no row of the database names, at the end of the last comparison',
  },
  orphanUploads: {
    name: 'heddle_stray_uploads_total',
    help: 'Unfinished uploads to the store that were ended',
  },
  assetEventsPublished: {
    name: 'heddle_asset_events_published_total',
    help: 'Asset events that the message bus has accepted',
  },
  assetOutboxLag: {
    name: 'heddle_asset_outbox_lag_seconds',
    help: 'Age of the oldest asset event that is not published',
  },
  moderationLag: {
    name: 'heddle_moderation_lag_seconds',
    help: 'Age of the oldest uploaded hash that the scanner has not decided on',
  },
  moderationUnscanned: {
    name: 'heddle_moderation_unscanned_hashes',
    help: 'Uploaded hashes that wait for the scanner, counted up to 1,000',
  },
  moderationScans: {
    name: 'heddle_moderation_scans_total',
    help: 'Scans of uploaded hashes, by result',
    labelNames: ['result'],
  },
} as const satisfies Record<string, MetricDeclaration>;
