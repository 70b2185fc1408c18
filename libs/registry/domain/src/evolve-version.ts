import type { RegistryEventData, ScanFinding, VersionEvent } from './registry.events.js';
import type { VersionState } from './version.state.js';

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

/** A scan decides pending, active and flagged versions. Banned and deleted versions stay. */
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
