import { Injectable } from '@nestjs/common';
import { VERSION_STATUSES } from '@heddle/contracts-registry';
import type { NodeVersionWire, VersionStatus } from '@heddle/contracts-registry';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { VersionReads } from '../find-versions/version-reads.js';
import { hasBytes, renderVersion, shownStatus } from '../render-wire/version-wire.js';
import { ShowNodeHandler } from '../show-node/show-node.handler.js';
import { VersionSigner } from '../sign-versions/version-signer.js';

interface VersionsQuestion {
  readonly nodeId: string;
  /** Null: those that are listed. */
  readonly statuses: readonly VersionStatus[] | null;
  readonly withReason: boolean;
  readonly caller: RegistryCaller;
  /** The registry's address. */
  readonly url: string;
}

/** Versions of a node, newest first. Strangers see those with bytes, members every one that they ask for. */
@Injectable()
export class ListVersionsHandler {
  constructor(
    private readonly nodes: ShowNodeHandler,
    private readonly versions: VersionReads,
    private readonly membership: Membership,
    private readonly signer: VersionSigner,
  ) {}

  async handle({ nodeId, statuses, withReason, caller, url }: VersionsQuestion): Promise<readonly NodeVersionWire[]> {
    const { state } = await this.nodes.readable(nodeId, caller);
    const isMember = await this.membership.isMember(caller, state.publisherId);
    const isListed = (status: VersionStatus): boolean => hasBytes(status) || (isMember && status === 'pending');
    const isShown = (status: VersionStatus): boolean =>
      statuses === null ? isListed(status) : statuses.includes(status) && (isMember || hasBytes(status));
    const view = { url, signer: this.signer, withReason: withReason || isMember };
    const listed: NodeVersionWire[] = [];
    for await (const part of this.versions.ofNode(nodeId, VERSION_STATUSES.filter(isShown))) {
      const shown = part.filter((record) => isShown(shownStatus(record)));
      listed.push(...shown.map((record) => renderVersion(record, view)));
    }
    return listed;
  }
}
