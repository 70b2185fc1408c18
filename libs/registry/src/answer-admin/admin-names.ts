import type { ApiErrorCode, ErrorCase } from '@heddle/contracts-api-v2';
import { refuse } from '@heddle/contracts-messages';
import type { RegistryVerdict, VersionName } from '@heddle/contracts-messages';
import { RejectionError } from '@heddle/platform-http';
import { parseVersion } from '@heddle/registry-domain';
import type { RegistryNodeState, VersionState } from '@heddle/registry-domain';
import type { RegistryUnit, Stored } from '../commit-events/registry-unit.js';

/** As events name the operator. */
export const ADMIN = 'admin';

/** A refusal of the admin API to throw, so that the transaction leaves nothing behind. */
export function adminRefused<Code extends ApiErrorCode>(code: Code, what: ErrorCase<Code>): RejectionError {
  return new RejectionError(refuse(code, what));
}

/** A name that an operator mistyped. */
export function unknown(what: ErrorCase<'not_found'>): RejectionError {
  return adminRefused('not_found', what);
}

/** A node, locked, whatever its status is. */
export async function adminNode(unit: RegistryUnit, nodeId: string): Promise<Stored<RegistryNodeState>> {
  const node = await unit.node(nodeId);
  if (node === null) throw unknown({ case: 'node', id: nodeId });
  return node;
}

interface AdminVersion {
  readonly node: Stored<RegistryNodeState>;
  readonly version: Stored<VersionState>;
  /** NODE@VERSION, as texts name it. */
  readonly id: string;
}

/** A version and its node, locked. */
export async function adminVersion(unit: RegistryUnit, { nodeId, version }: VersionName): Promise<AdminVersion> {
  const node = await adminNode(unit, nodeId);
  const number = parseVersion(version);
  const stored = number === null ? null : await unit.version(nodeId, number.text);
  if (stored === null) throw unknown({ case: 'version', id: node.state.nodeId, version });
  return { node, version: stored, id: `${node.state.nodeId}@${stored.state.version}` };
}

export function nodeVerdict({ nodeId, publisherId: publisher, status, reason }: RegistryNodeState): RegistryVerdict {
  return { nodeId, publisher, version: null, status, reason };
}

export function versionVerdict({ state: node }: Stored<RegistryNodeState>, state: VersionState): RegistryVerdict {
  const { version, status, reason } = state;
  return { nodeId: node.nodeId, publisher: node.publisherId, version, status, reason };
}
