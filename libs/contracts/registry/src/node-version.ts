/** What a publisher says of a version. */
export interface VersionMetadata {
  readonly changelog: string;
  readonly dependencies: readonly string[];
  readonly supported_accelerators: readonly string[];
  readonly supported_engine_frontend_version: string;
  readonly supported_engine_version: string;
  readonly supported_os: readonly string[];
  readonly tags: readonly string[];
}

/** A version of a node (api-v2, Registry: NodeVersion; registry decisions, Added). Times are ISO 8601, UTC. */
export interface NodeVersionWire extends VersionMetadata {
  /** UUID. */
  readonly id: string;
  readonly node_id: string;
  readonly version: string;
  readonly createdAt: string;
  readonly deprecated: boolean;
  readonly deprecated_reason: string;
  /** "" while there are no bytes to be had. */
  readonly downloadUrl: string;
  readonly status: NodeVersionStatus;
  readonly status_reason: string;
  readonly tags_admin: readonly string[];
  readonly wf_node_extract_status: ExtractStatus;
  readonly wf_node_extract_reason: string;
  /** Lower-case hex of the archive; "" before there is one. */
  readonly sha256: string;
  readonly size_bytes: number;
  readonly signature: VersionSignature | Record<string, never>;
}

/** Ed25519 over `<node_id>@<version>:<sha256>`, base64. */
export interface VersionSignature {
  readonly keyid: string;
  readonly sig: string;
}

/** States of a version, as stored. */
export const VERSION_STATUSES = ['pending', 'active', 'flagged', 'banned', 'deleted'] as const;
export type VersionStatus = (typeof VERSION_STATUSES)[number];

export type NodeVersionStatus =
  | 'NodeVersionStatusPending'
  | 'NodeVersionStatusActive'
  | 'NodeVersionStatusFlagged'
  | 'NodeVersionStatusBanned'
  | 'NodeVersionStatusDeleted';

/** A stored status as it stands in answers. */
export function versionStatusWire(status: VersionStatus): NodeVersionStatus {
  return `NodeVersionStatus${status[0]!.toUpperCase()}${status.slice(1)}` as NodeVersionStatus;
}

/** The reverse; null for every other text. */
export function versionStatusOf(text: string): VersionStatus | null {
  return VERSION_STATUSES.find((status) => versionStatusWire(status) === text) ?? null;
}

export type ExtractStatus = 'pending' | 'success' | 'failed';

/** One item of the answer to `POST /bulk/nodes/versions`. */
export interface BulkItemWire {
  readonly identifier: { readonly node_id: string; readonly version: string };
  readonly status: 'success' | 'not_found' | 'error';
  readonly error_message?: string;
  readonly node_version?: NodeVersionWire;
}
