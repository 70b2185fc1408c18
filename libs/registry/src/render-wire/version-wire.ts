import { versionStatusWire } from '@heddle/contracts-registry';
import type { NodeVersionWire, VersionSignature, VersionStatus } from '@heddle/contracts-registry';
import type { VersionState } from '@heddle/registry-domain';
import type { VersionSigner } from '../sign-versions/version-signer.js';

/** A version with what a ban of its node or publisher makes of it. */
export interface VersionRecord {
  readonly version_id: string;
  readonly state: Omit<VersionState, 'streamVersion'>;
  /** As it was made with the bytes; null before them. */
  readonly signature: VersionSignature | null;
  /** The id of its node, in its first spelling. */
  readonly node_id: string;
  readonly publisher_id: string;
  readonly node_status: 'active' | 'banned' | 'deleted';
  readonly publisher_status: 'active' | 'banned';
  /** Of the ban of its publisher, else of its node; null: neither is banned. */
  readonly ban_reason: string | null;
}

/** Nothing is rewritten while a node or its publisher is banned (registry decisions, Visible). */
export function shownStatus({ state, node_status, publisher_status }: VersionRecord): VersionStatus {
  if (state.status === 'deleted') return 'deleted';
  if (node_status === 'deleted') return 'deleted';
  return node_status === 'banned' || publisher_status === 'banned' ? 'banned' : state.status;
}

/** Why it has the status that is shown. */
function shownReason(record: VersionRecord): string {
  const { state, ban_reason: banReason } = record;
  return shownStatus(record) === 'banned' ? (banReason ?? state.reason) : state.reason;
}

export function hasBytes(status: VersionStatus): boolean {
  return status === 'active' || status === 'flagged';
}

export interface VersionView {
  /** The registry's address. */
  readonly url: string;
  readonly signer: VersionSigner;
  /** Members see the reason of a status always; others when they ask. */
  readonly withReason: boolean;
}

export function renderVersion(record: VersionRecord, { url, signer, withReason }: VersionView): NodeVersionWire {
  const { state, signature, node_id: nodeId, version_id: id } = record;
  const { bytes, extraction, text, version } = state;
  const status = shownStatus(record);
  const path = `/nodes/${encodeURIComponent(nodeId)}/versions/${version}/archive`;
  return {
    id,
    node_id: nodeId,
    version,
    changelog: text.changelog,
    wf_node_extract_status: extraction?.status ?? 'pending',
    wf_node_extract_reason: extraction?.reason ?? '',
    createdAt: state.createdAt,
    dependencies: text.dependencies,
    deprecated: state.deprecated,
    deprecated_reason: state.deprecatedReason,
    downloadUrl: hasBytes(status) ? url + path : '',
    status: versionStatusWire(status),
    status_reason: withReason ? shownReason(record) : '',
    supported_accelerators: text.supported_accelerators,
    supported_engine_frontend_version: text.supported_engine_frontend_version,
    supported_engine_version: text.supported_engine_version,
    supported_os: text.supported_os,
    tags: text.tags,
    tags_admin: [],
    sha256: bytes?.sha256 ?? '',
    size_bytes: bytes?.size_bytes ?? 0,
    signature: bytes === null ? {} : (signer.valid(signature) ?? signer.sign(nodeId, version, bytes.sha256)),
  };
}
