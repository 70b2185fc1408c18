import type { RegistryEventData, ScanFinding, VersionText } from './registry.events.js';

export type StoredVersionStatus = 'pending' | 'active' | 'flagged' | 'banned' | 'deleted';

/** A version of a node as its events leave it. */
export interface VersionState {
  /** Of its last event. */
  readonly streamVersion: number;
  readonly nodeId: string;
  readonly version: string;
  readonly status: StoredVersionStatus;
  /** JSON text of the findings where a scan flagged it. */
  readonly reason: string;
  readonly text: VersionText;
  /** Number of the valid upload URL. */
  readonly upload: number;
  /** SHA-256 that the bytes must have; "": any. */
  readonly wantedSha256: string;
  /** Null before the upload. */
  readonly bytes: Omit<RegistryEventData['VersionUploaded'], 'actor'> | null;
  readonly findings: readonly ScanFinding[] | null;
  readonly extraction: Omit<RegistryEventData['VersionExtracted'], 'actor'> | null;
  readonly deprecated: boolean;
  readonly deprecatedReason: string;
  readonly createdAt: string;
  /** When it was last published: from then on it waits for its bytes. */
  readonly publishedAt: string;
}
