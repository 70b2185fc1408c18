import { Injectable } from '@nestjs/common';
import type { TokenAction } from '@heddle/contracts-registry';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { parseVersion } from '@heddle/registry-domain';
import type { VersionState } from '@heddle/registry-domain';
import { versionBanned } from '../authorize/ban-refusals.js';
import { actorOf } from '../authorize/caller.js';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import type { RegistryUnit, Stored } from '../commit-events/registry-unit.js';
import { writtenNode } from './written-nodes.js';

/** As the path names it. */
export interface VersionPath {
  readonly publisher: string;
  readonly node: string;
  readonly version: string;
}

/** Who changes which version; `action`: what a token must be allowed to do. */
interface VersionWrite {
  readonly path: VersionPath;
  readonly caller: RegistryCaller;
  readonly action: TokenAction;
}

interface WrittenVersion {
  readonly unit: RegistryUnit;
  readonly nodeId: string;
  readonly stored: Stored<VersionState>;
  readonly actor: string;
}

/** A version that a member may write, locked in one transaction with its node. */
@Injectable()
export class WrittenVersions {
  constructor(
    private readonly log: RegistryLog,
    private readonly membership: Membership,
  ) {}

  async write<T>({ path, caller, action }: VersionWrite, work: (write: WrittenVersion) => Promise<T>): Promise<T> {
    const { publisher, node: nodeId, version } = path;
    await this.membership.member(caller, publisher, action, nodeId);
    return await this.log.commit(async (unit) => {
      const { state: node } = await writtenNode(unit, publisher, nodeId);
      const number = parseVersion(version);
      const stored = number === null ? null : await unit.version(nodeId, number.text);
      if (stored === null) throw registryRefusal('not_found', { case: 'version', id: node.nodeId, version });
      return await work({ unit, nodeId: node.nodeId, stored, actor: actorOf(caller) });
    });
  }
}

/** The refusal of each reason for which the domain rejects a change of a version. */
export function versionRefusals(nodeId: string, { version, status, reason }: VersionState) {
  const id = `${nodeId}@${version}`;
  return {
    banned: () => versionBanned(nodeId, version, reason),
    deleted: () => registryRefusal('not_found', { case: 'version', id: nodeId, version }),
    not_flagged: () => registryRefusal('already_set', { case: 'not_flagged', id, status }),
  };
}
