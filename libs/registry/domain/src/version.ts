// A version is one archive of a node under a number. These decisions protect its lifecycle: its bytes come once and never change,
// a number with bytes is never published again, and only the operator ends a ban or brings a deleted version back. A ban of
// its node or publisher is stored with them, not here. Diagram: docs/architecture/17-registry.md.

import { alreadySo, append, reject } from '@heddle/decision';
import type { Decision } from '@heddle/decision';
import type { RegistryEventData, VersionEvent } from './registry.events.js';
import type { StoredVersionStatus, VersionState } from './version.state.js';

/** Each decision names those of them that it returns. */
type VersionRejection =
  | UploadRejection
  | 'version_exists'
  | 'no_bytes'
  | 'wrong_status'
  | 'already_posted'
  | 'not_flagged'
  | 'banned'
  | 'deleted';
/** `replaced`: the URL is that of an earlier publish. `not_pending`: the version was deleted meanwhile. */
export type UploadRejection = 'replaced' | 'already_uploaded' | 'not_pending';

type VersionDecision<Rejection extends VersionRejection = never> = Decision<VersionEvent, Rejection>;

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
): VersionDecision<'version_exists'> {
  if (!isOpen(state)) return reject('version_exists');
  return append({ type: 'VersionPublished', data: { ...data, upload: (state?.upload ?? 0) + 1 } });
}

export function upload(
  state: VersionState,
  number: number,
  data: RegistryEventData['VersionUploaded'],
): VersionDecision<UploadRejection> {
  const rejection = uploadRejection(state, number);
  if (rejection !== null) return reject(rejection);
  return append({ type: 'VersionUploaded', data });
}

/** No bytes came in time. The number may be published again. */
export function expire(state: VersionState, actor: string, reason: string): VersionDecision {
  const isOver = state.status === 'pending' && state.bytes === null;
  return isOver ? append({ type: 'VersionDeleted', data: { actor, reason } }) : alreadySo;
}

/** Whether a version may be scanned again. The scan ends in `VersionScanned`; nothing is written before it. */
export function rescan({ bytes, status }: VersionState): VersionDecision<'no_bytes' | 'wrong_status'> {
  if (bytes === null) return reject('no_bytes');
  return status === 'deleted' || status === 'banned' ? reject('wrong_status') : alreadySo;
}

/** The end of a scan: of the first one, or of one that was asked for again. Without bytes there is nothing to scan. */
export function endScan(
  state: VersionState,
  data: RegistryEventData['VersionScanned'],
  isRescan: boolean,
): VersionDecision {
  if (state.bytes === null) return alreadySo;
  return state.findings === null || isRescan ? append({ type: 'VersionScanned', data }) : alreadySo;
}

/** The classes that Heddle found, if they count. */
export function endExtraction(
  state: VersionState,
  data: Omit<RegistryEventData['VersionExtracted'], 'external'>,
  isRescan: boolean,
): VersionDecision {
  const isWanted = state.bytes !== null && wantsClasses(state, isRescan);
  return isWanted ? append({ type: 'VersionExtracted', data: { ...data, external: false } }) : alreadySo;
}

/** The classes of an operator's own extractor replace those that were found here, once. */
export function setClasses(
  state: VersionState,
  data: Omit<RegistryEventData['VersionExtracted'], 'external'>,
): VersionDecision<'no_bytes' | 'already_posted'> {
  if (state.bytes === null) return reject('no_bytes');
  if (state.extraction?.external === true) return reject('already_posted');
  return append({ type: 'VersionExtracted', data: { ...data, external: true } });
}

export function requestReview(state: VersionState, actor: string, message: string): VersionDecision<'not_flagged'> {
  if (state.status !== 'flagged') return reject('not_flagged');
  return append({ type: 'ReviewRequested', data: { actor, message } });
}

/** An administrator sets a status; one without bytes can only be deleted. */
export function review(
  state: VersionState,
  status: RegistryEventData['VersionReviewed']['status'],
  actor: string,
  reason: string,
): VersionDecision<'no_bytes' | 'wrong_status'> {
  if (state.bytes === null && status !== 'deleted') return reject('no_bytes');
  if (!REVIEWS[state.status].includes(status)) return reject('wrong_status');
  if (state.status === status && state.reason === reason) return alreadySo;
  return append({ type: 'VersionReviewed', data: { actor, status, reason } });
}

export function deprecate(
  state: VersionState,
  change: VersionChange,
  actor: string,
): VersionDecision<'banned' | 'deleted'> {
  if (state.status === 'banned' || state.status === 'deleted') return reject(state.status);
  const deprecated = change.deprecated ?? state.deprecated;
  const reason = deprecated ? (change.reason ?? state.deprecatedReason) : '';
  const changelog = change.changelog ?? state.text.changelog;
  const isSame =
    deprecated === state.deprecated && reason === state.deprecatedReason && changelog === state.text.changelog;
  return isSame ? alreadySo : append({ type: 'VersionDeprecated', data: { actor, deprecated, reason, changelog } });
}

/** By its publisher. A banned version stays banned. */
export function deleteVersion(state: VersionState, actor: string, reason: string): VersionDecision<'banned'> {
  if (state.status === 'banned') return reject('banned');
  return state.status === 'deleted' ? alreadySo : append({ type: 'VersionDeleted', data: { actor, reason } });
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

/** Whether a publisher may publish the number again: nothing was ever uploaded under it. */
function isOpen(state: VersionState | null): boolean {
  return state === null || (state.bytes === null && (state.status === 'pending' || state.status === 'deleted'));
}
