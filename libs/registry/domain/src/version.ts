// A version is one archive of a node under a number. These decisions protect its lifecycle: its bytes come once and never change,
// a number with bytes is never published again, and only the operator ends a ban or brings a deleted version back. A ban of
// its node or publisher is stored with them, not here. Diagram: docs/architecture/17-registry.md.

import { alreadySo, append, reject } from '@heddle/decision';
import type { Decision } from '@heddle/decision';
import type { RegistryEventData, ScanFinding, VersionEvent, VersionText } from './registry.events.js';

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

export type UploadRejection = 'replaced' | 'already_uploaded' | 'not_pending';

/** What a publisher changes after the bytes came; what is absent stays as it was. */
export interface VersionChange {
  readonly deprecated?: boolean;
  readonly reason?: string;
  readonly changelog?: string;
}

/** Statuses that an administrator may set, by the status before (registry decisions, Version). */
const REVIEWS: Readonly<Record<StoredVersionStatus, readonly StoredVersionStatus[]>> = {
  pending: ['deleted'],
  active: ['active', 'flagged', 'banned', 'deleted'],
  flagged: ['active', 'flagged', 'banned', 'deleted'],
  banned: ['active', 'banned'],
  deleted: ['active', 'deleted'],
};

/** May be repeated while there are no bytes; the previous upload URL becomes invalid. */
export function publish(
  state: VersionState | null,
  data: Omit<RegistryEventData['VersionPublished'], 'upload'>,
): Decision<VersionEvent, 'version_exists'> {
  if (!isOpen(state)) return reject('version_exists');
  return append({ type: 'VersionPublished', data: { ...data, upload: (state?.upload ?? 0) + 1 } });
}

/** `replaced`: the URL is that of an earlier publish. `not_pending`: it was deleted meanwhile. */
export function upload(
  state: VersionState,
  number: number,
  data: RegistryEventData['VersionUploaded'],
): Decision<VersionEvent, UploadRejection> {
  const rejection = uploadRejection(state, number);
  if (rejection !== null) return reject(rejection);
  return append({ type: 'VersionUploaded', data });
}

/** No bytes came in time. The number may be published again. */
export function expire(state: VersionState, actor: string, reason: string): Decision<VersionEvent> {
  const isOver = state.status === 'pending' && state.bytes === null;
  return isOver ? append({ type: 'VersionDeleted', data: { actor, reason } }) : alreadySo;
}

/** Whether a version may be scanned again. The scan ends in `VersionScanned`; nothing is written before it. */
export function rescan({ bytes, status }: VersionState): Decision<VersionEvent, 'no_bytes' | 'wrong_status'> {
  if (bytes === null) return reject('no_bytes');
  return status === 'deleted' || status === 'banned' ? reject('wrong_status') : alreadySo;
}

/** The end of a scan: of the first one, or of one that was asked for again. Without bytes there is nothing to scan. */
export function endScan(
  state: VersionState,
  data: RegistryEventData['VersionScanned'],
  isRescan: boolean,
): Decision<VersionEvent> {
  if (state.bytes === null) return alreadySo;
  return state.findings === null || isRescan ? append({ type: 'VersionScanned', data }) : alreadySo;
}

/** The classes that Heddle found, if they count. */
export function endExtraction(
  state: VersionState,
  data: Omit<RegistryEventData['VersionExtracted'], 'external'>,
  isRescan: boolean,
): Decision<VersionEvent> {
  const isWanted = state.bytes !== null && wantsClasses(state, isRescan);
  return isWanted ? append({ type: 'VersionExtracted', data: { ...data, external: false } }) : alreadySo;
}

/** The classes of an operator's own extractor replace those that were found here, once. */
export function setClasses(
  state: VersionState,
  data: Omit<RegistryEventData['VersionExtracted'], 'external'>,
): Decision<VersionEvent, 'no_bytes' | 'already_posted'> {
  if (state.bytes === null) return reject('no_bytes');
  if (state.extraction?.external === true) return reject('already_posted');
  return append({ type: 'VersionExtracted', data: { ...data, external: true } });
}

export function requestReview(
  state: VersionState,
  actor: string,
  message: string,
): Decision<VersionEvent, 'not_flagged'> {
  if (state.status !== 'flagged') return reject('not_flagged');
  return append({ type: 'ReviewRequested', data: { actor, message } });
}

/** An administrator sets a status; one without bytes can only be deleted. */
export function review(
  state: VersionState,
  status: RegistryEventData['VersionReviewed']['status'],
  actor: string,
  reason: string,
): Decision<VersionEvent, 'no_bytes' | 'wrong_status'> {
  if (state.bytes === null && status !== 'deleted') return reject('no_bytes');
  if (!REVIEWS[state.status].includes(status)) return reject('wrong_status');
  if (state.status === status && state.reason === reason) return alreadySo;
  return append({ type: 'VersionReviewed', data: { actor, status, reason } });
}

export function deprecate(
  state: VersionState,
  change: VersionChange,
  actor: string,
): Decision<VersionEvent, 'banned' | 'deleted'> {
  if (state.status === 'banned' || state.status === 'deleted') return reject(state.status);
  const deprecated = change.deprecated ?? state.deprecated;
  const reason = deprecated ? (change.reason ?? state.deprecatedReason) : '';
  const changelog = change.changelog ?? state.text.changelog;
  const isSame =
    deprecated === state.deprecated && reason === state.deprecatedReason && changelog === state.text.changelog;
  return isSame ? alreadySo : append({ type: 'VersionDeprecated', data: { actor, deprecated, reason, changelog } });
}

/** By its publisher. A banned version stays banned. */
export function deleteVersion(state: VersionState, actor: string, reason: string): Decision<VersionEvent, 'banned'> {
  if (state.status === 'banned') return reject('banned');
  return state.status === 'deleted' ? alreadySo : append({ type: 'VersionDeleted', data: { actor, reason } });
}

/** Whether a publisher may publish the number again: nothing was ever uploaded under it. */
function isOpen(state: VersionState | null): boolean {
  return state === null || (state.bytes === null && (state.status === 'pending' || state.status === 'deleted'));
}

/** Why bytes cannot come with the upload URL of this number; null: they can. */
export function uploadRejection(
  { upload: good, bytes, status }: Pick<VersionState, 'upload' | 'bytes' | 'status'>,
  number: number,
): UploadRejection | null {
  if (number !== good) return 'replaced';
  if (bytes !== null) return 'already_uploaded';
  return status === 'pending' ? null : 'not_pending';
}

/** Whether the classes found here count: those of an operator's own extractor are not replaced by them. */
export function wantsClasses({ extraction }: VersionState, isRescan: boolean): boolean {
  return extraction === null || (isRescan && extraction.status === 'failed' && !extraction.external);
}

/** The state after one more event; the decision that produced the event has already checked it. */
export function evolveVersion(
  state: VersionState | null,
  event: VersionEvent,
  recordedAt: string,
): VersionState | null {
  if (event.type === 'VersionPublished') return published(state, event.data, recordedAt);
  if (state === null) return null;
  const next = { ...state, streamVersion: state.streamVersion + 1 };
  switch (event.type) {
    case 'VersionUploaded': {
      const { sha256, size_bytes, format, blob } = event.data;
      return { ...next, bytes: { sha256, size_bytes, format, blob } };
    }
    case 'VersionScanned':
      return { ...next, findings: event.data.findings, ...judged(state, event.data.findings) };
    case 'VersionExtracted': {
      const { actor: _, ...extraction } = event.data;
      return { ...next, extraction };
    }
    case 'VersionReviewed':
      return { ...next, status: event.data.status, reason: event.data.reason };
    case 'VersionDeprecated': {
      const { deprecated, reason, changelog } = event.data;
      return { ...next, deprecated, deprecatedReason: reason, text: { ...state.text, changelog } };
    }
    case 'VersionDeleted':
      return { ...next, status: 'deleted', reason: event.data.reason };
    case 'ReviewRequested':
      return next;
  }
}

function published(
  before: VersionState | null,
  { node_id: nodeId, version, upload, sha256, text }: RegistryEventData['VersionPublished'],
  recordedAt: string,
): VersionState {
  return {
    streamVersion: (before?.streamVersion ?? 0) + 1,
    nodeId,
    version,
    status: 'pending',
    reason: '',
    text,
    upload,
    wantedSha256: sha256,
    bytes: null,
    findings: null,
    extraction: null,
    deprecated: false,
    deprecatedReason: '',
    createdAt: before?.createdAt ?? recordedAt,
    publishedAt: recordedAt,
  };
}

/** A scan ends the wait of a pending version. One that was reviewed, deleted or banned meanwhile stays as it is. */
function judged(
  { status, reason }: VersionState,
  findings: readonly ScanFinding[],
): Pick<VersionState, 'status' | 'reason'> {
  if (status !== 'pending' && status !== 'flagged' && status !== 'active') return { status, reason };
  const blocking = findings.filter(({ severity }) => severity === 'block');
  return blocking.length === 0
    ? { status: 'active', reason: '' }
    : { status: 'flagged', reason: JSON.stringify(blocking) };
}
