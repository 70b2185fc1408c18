import type { RegistryEventData, ScanFinding, VersionEvent, VersionText } from './registry.events.js';

export type StoredVersionStatus = 'pending' | 'active' | 'flagged' | 'banned' | 'deleted';

/** What the log says of a version of a node. A ban of its node or publisher is theirs: it is not written here. */
export interface VersionState {
  /** Number of events of its stream. */
  readonly log: number;
  readonly nodeId: string;
  readonly version: string;
  readonly status: StoredVersionStatus;
  /** JSON text of the findings where a scan flagged it. */
  readonly reason: string;
  readonly text: VersionText;
  /** Number of the upload URL that is good. */
  readonly upload: number;
  /** That the bytes must have; "": any. */
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

/** The state after one more event; the decision that produced the event has already checked it. */
export function evolveVersion(
  state: VersionState | null,
  event: VersionEvent,
  recordedAt: string,
): VersionState | null {
  if (event.type === 'VersionPublished') return published(state, event.data, recordedAt);
  if (state === null) return null;
  const next = { ...state, log: state.log + 1 };
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
    log: (before?.log ?? 0) + 1,
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

/** Whether a publisher may publish the number again: nothing was ever uploaded under it. */
function isOpen(state: VersionState | null): boolean {
  return state === null || (state.bytes === null && (state.status === 'pending' || state.status === 'deleted'));
}

export type VersionRejection =
  | 'version_exists'
  | 'already_uploaded'
  /** It was deleted or banned. */
  | 'not_pending'
  | 'not_flagged'
  | 'no_bytes'
  | 'banned'
  /** The life of a version has no such step. */
  | 'wrong_status'
  | 'already_posted';

export type VersionDecision =
  | { readonly ok: true; readonly events: readonly VersionEvent[] }
  | { readonly ok: false; readonly rejection: VersionRejection };

const events = (...all: readonly VersionEvent[]): VersionDecision => ({ ok: true, events: all });
const refused = (rejection: VersionRejection): VersionDecision => ({ ok: false, rejection });

export function publish(
  state: VersionState | null,
  data: Omit<RegistryEventData['VersionPublished'], 'upload'>,
): VersionDecision {
  if (!isOpen(state)) return refused('version_exists');
  return events({ type: 'VersionPublished', data: { ...data, upload: (state?.upload ?? 0) + 1 } });
}

export function upload(state: VersionState, data: RegistryEventData['VersionUploaded']): VersionDecision {
  if (state.bytes !== null) return refused('already_uploaded');
  return state.status === 'pending' ? events({ type: 'VersionUploaded', data }) : refused('not_pending');
}

/** Whether a version may be scanned again. The scan ends in `VersionScanned`; nothing is written before it. */
export function rescan({ bytes, status }: VersionState): VersionDecision {
  if (bytes === null) return refused('no_bytes');
  return status === 'deleted' || status === 'banned' ? refused('wrong_status') : events();
}

/** The classes of an operator's own extractor replace those that were found here, once. */
export function setClasses(
  state: VersionState,
  data: Omit<RegistryEventData['VersionExtracted'], 'external'>,
): VersionDecision {
  if (state.bytes === null) return refused('no_bytes');
  if (state.extraction?.external === true) return refused('already_posted');
  return events({ type: 'VersionExtracted', data: { ...data, external: true } });
}

export function deprecate(
  state: VersionState,
  change: { readonly deprecated?: boolean; readonly reason?: string; readonly changelog?: string },
  actor: string,
): VersionDecision {
  if (state.status === 'banned') return refused('banned');
  if (state.status === 'deleted') return refused('wrong_status');
  const deprecated = change.deprecated ?? state.deprecated;
  const reason = deprecated ? (change.reason ?? state.deprecatedReason) : '';
  const changelog = change.changelog ?? state.text.changelog;
  const isSame =
    deprecated === state.deprecated && reason === state.deprecatedReason && changelog === state.text.changelog;
  return isSame ? events() : events({ type: 'VersionDeprecated', data: { actor, deprecated, reason, changelog } });
}

/** By its publisher. A banned version stays banned. */
export function deleteVersion(state: VersionState, actor: string, reason: string): VersionDecision {
  if (state.status === 'banned') return refused('banned');
  return state.status === 'deleted' ? events() : events({ type: 'VersionDeleted', data: { actor, reason } });
}

/** No bytes came in time. The number stays open. */
export function expire(state: VersionState, actor: string, reason: string): VersionDecision {
  const isOver = state.status === 'pending' && state.bytes === null;
  return isOver ? events({ type: 'VersionDeleted', data: { actor, reason } }) : events();
}

/** Statuses that an administrator may set, by the status before (registry decisions, Version). */
const REVIEWS: Readonly<Record<StoredVersionStatus, readonly StoredVersionStatus[]>> = {
  pending: ['deleted'],
  active: ['active', 'flagged', 'banned', 'deleted'],
  flagged: ['active', 'flagged', 'banned', 'deleted'],
  banned: ['active', 'banned'],
  deleted: ['active', 'deleted'],
};

/** An administrator sets a status; one without bytes can only be deleted. */
export function review(
  state: VersionState,
  status: RegistryEventData['VersionReviewed']['status'],
  actor: string,
  reason: string,
): VersionDecision {
  if (state.bytes === null && status !== 'deleted') return refused('no_bytes');
  if (!REVIEWS[state.status].includes(status)) return refused('wrong_status');
  if (state.status === status && state.reason === reason) return events();
  return events({ type: 'VersionReviewed', data: { actor, status, reason } });
}

export function requestReview(state: VersionState, actor: string, message: string): VersionDecision {
  return state.status === 'flagged'
    ? events({ type: 'ReviewRequested', data: { actor, message } })
    : refused('not_flagged');
}
