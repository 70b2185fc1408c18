import { Injectable } from '@nestjs/common';
import type { NodeVersionWire } from '@heddle/contracts-registry';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import type { RegistryCaller } from '../authorize/caller.js';
import { assertNotBanned, versionBanned } from '../authorize/ban-refusals.js';
import { Membership } from '../authorize/membership.js';
import { VersionReads } from '../find-versions/version-reads.js';
import { renderVersion, shownStatus } from '../render-wire/version-wire.js';
import type { VersionRecord } from '../render-wire/version-wire.js';
import { VersionSigner } from '../sign-versions/version-signer.js';

interface VersionQuestion {
  readonly nodeId: string;
  /** As it was asked. */
  readonly version: string;
  readonly caller: RegistryCaller;
  /** The registry's address. */
  readonly url: string;
  readonly withReason: boolean;
}

/** One version, by its number (registry decisions, Direct reads). */
@Injectable()
export class ShowVersionHandler {
  constructor(
    private readonly versions: VersionReads,
    private readonly membership: Membership,
    private readonly signer: VersionSigner,
  ) {}

  async handle({ nodeId, version, caller, url, withReason }: VersionQuestion): Promise<NodeVersionWire> {
    const { found, isMember } = await this.readable(nodeId, version, caller);
    return renderVersion(found, { url, signer: this.signer, withReason: withReason || isMember });
  }

  /** The version, or the refusal of one that the caller may not see. */
  async readable(
    nodeId: string,
    version: string,
    caller: RegistryCaller,
  ): Promise<{ readonly found: VersionRecord; readonly isMember: boolean }> {
    const found = await this.versions.one(nodeId, version);
    if (found === null) throw registryRefusal('not_found', { case: 'version', id: nodeId, version });
    const isMember = await this.membership.isMember(caller, found.publisher_id);
    assertReadable(found, isMember);
    return { found, isMember };
  }

  /** As its publisher sees it. */
  async byId(versionId: string, url: string): Promise<NodeVersionWire> {
    const found = (await this.versions.byId(versionId))!;
    return renderVersion(found, { url, signer: this.signer, withReason: true });
  }
}

/** Throws the refusal of a version that the caller may not see; a member is told why it is banned. */
export function assertReadable(record: VersionRecord, isMember: boolean): void {
  const { node_id: id, state, node_status } = record;
  const { version } = state;
  const reason = isMember ? (record.ban_reason ?? state.reason) : '';
  assertNotBanned(record, reason);
  if (node_status === 'deleted') throw registryRefusal('not_found', { case: 'node', id });
  const status = shownStatus(record);
  if (status === 'banned') throw versionBanned(id, version, reason);
  if (!isMember && (status === 'pending' || status === 'deleted')) {
    throw registryRefusal('not_found', { case: 'version', id, version });
  }
}
