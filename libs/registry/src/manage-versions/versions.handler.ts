import { Injectable } from '@nestjs/common';
import type { TokenAction } from '@heddle/contracts-registry';
import { checkedBody } from '@heddle/platform-http';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { deleteVersion, deprecate, parseVersion, requestReview } from '@heddle/registry-domain';
import type { VersionState } from '@heddle/registry-domain';
import { actorOf } from '../authorize/caller.js';
import { versionBanned } from '../authorize/ban-refusals.js';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { writtenNode } from '../authorize/write-checks.js';
import { acceptedEvents } from '../commit-events/accepted-events.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import type { RegistryUnit, Stored } from '../commit-events/registry-unit.js';
import { Requests } from '../keep-requests/requests.js';
import type { GivenFields } from '../read-request/node-body.dto.js';

/** As the path names it. */
export interface VersionPath {
  readonly publisher: string;
  readonly node: string;
  readonly version: string;
}

interface VersionWrite {
  readonly unit: RegistryUnit;
  readonly nodeId: string;
  readonly stored: Stored<VersionState>;
  readonly actor: string;
}

const bodies = () => import('./version-bodies.dto.js');

/** What a publisher changes of a version after its bytes came: its changelog, its deprecation, its end. */
@Injectable()
export class VersionsHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly membership: Membership,
    private readonly requests: Requests,
  ) {}

  /** Returns the id of the version. */
  async update(path: VersionPath, caller: RegistryCaller, fields: GivenFields): Promise<string> {
    return await this.#write(path, caller, 'deprecate', async ({ unit, nodeId, stored, actor }) => {
      const body = await checkedBody(fields, async () => (await bodies()).VersionChangeBody);
      const { banned, deleted } = refusalsOf(nodeId, stored.state);
      const events = acceptedEvents(deprecate(stored.state, body.toChange(), actor), { banned, deleted });
      return (await unit.changeVersion(stored, events)).streamId;
    });
  }

  /** Again: nothing more happens. */
  async delete(path: VersionPath, caller: RegistryCaller): Promise<void> {
    await this.#write(path, caller, 'delete', async ({ unit, nodeId, stored, actor }) => {
      const { banned } = refusalsOf(nodeId, stored.state);
      const events = acceptedEvents(deleteVersion(stored.state, actor, 'deleted by its publisher'), { banned });
      await unit.changeVersion(stored, events);
      await this.requests.closeReview(unit, nodeId, stored.streamId);
    });
  }

  /** While a request waits another one changes nothing. */
  async requestReview(path: VersionPath, caller: RegistryCaller, fields: GivenFields): Promise<void> {
    await this.#write(path, caller, 'publish', async ({ unit, nodeId, stored, actor }) => {
      const body = await checkedBody(fields, async () => (await bodies()).ReviewRequestBody);
      const message = body.toMessage();
      const { not_flagged } = refusalsOf(nodeId, stored.state);
      const events = acceptedEvents(requestReview(stored.state, actor, message), { not_flagged });
      const isNew = await this.requests.open(unit, { kind: 'review', nodeId, subject: stored.streamId, text: message });
      if (isNew) await unit.changeVersion(stored, events);
    });
  }

  async #write<T>(
    { publisher, node: nodeId, version }: VersionPath,
    caller: RegistryCaller,
    action: TokenAction,
    work: (write: VersionWrite) => Promise<T>,
  ): Promise<T> {
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

function refusalsOf(nodeId: string, { version, status, reason }: VersionState) {
  const id = `${nodeId}@${version}`;
  return {
    banned: () => versionBanned(nodeId, version, reason),
    deleted: () => registryRefusal('not_found', { case: 'version', id: nodeId, version }),
    not_flagged: () => registryRefusal('already_set', { case: 'not_flagged', id, status }),
  };
}
