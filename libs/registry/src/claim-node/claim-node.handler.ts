import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { claimNode, nodeKey } from '@heddle/registry-domain';
import type { NodeEvent, RegistryNodeState } from '@heddle/registry-domain';
import { actorOf } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { acceptedEvents } from '../commit-events/accepted-events.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import type { RegistryUnit, Stored } from '../commit-events/registry-unit.js';
import { readableNode, writingPublisher } from '../load-for-write/written-nodes.js';
import type { NodeWrite } from '../load-for-write/written-nodes.js';
import { RegistrySettings } from '../settings.js';
import { ChallengeFinder } from './challenge-finder.js';
import { CLAIM_FILE, claimPlaces } from './claim-places.js';

/** What a file must hold, and its path in the repository. */
export interface Challenge {
  readonly challenge: string;
  readonly path: string;
}

const findSql = 'select challenge from registry.claim where node_key = $1 and publisher_id = $2';
const insertSql = 'insert into registry.claim (node_key, publisher_id, challenge) values ($1, $2, $3)';
const endSql = 'delete from registry.claim where node_key = $1';

/** A released node becomes the publisher's who can write to its repository. */
@Injectable()
export class ClaimNodeHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly membership: Membership,
    private readonly finder: ChallengeFinder,
    private readonly settings: RegistrySettings,
  ) {}

  /** The challenge to show; null: it was shown, and the node is the publisher's. */
  async handle(write: NodeWrite): Promise<Challenge | null> {
    await this.membership.owner(write.caller, write.publisher);
    const { places, challenge, isNew } = await this.#challenge(write);
    const shown = { challenge, path: CLAIM_FILE };
    if (isNew) return shown;
    // No lock is held while another host is asked.
    const found = await this.finder.find(places, challenge);
    if (found === 'unread') throw registryRefusal('vendor_unavailable', { case: 'challenge', path: places[0]!.href });
    if (found === 'absent') return shown;
    await this.#claim(write);
    return null;
  }

  async #challenge({ publisher, nodeId, caller }: NodeWrite): Promise<{
    readonly places: readonly URL[];
    readonly challenge: string;
    readonly isNew: boolean;
  }> {
    return await this.log.commit(async (unit) => {
      const { nodeId: id, text } = (await this.#claimed(unit, { publisher, nodeId, caller })).node.state;
      if (text.repository === '') throw registryRefusal('invalid_request', { case: 'no_repository', id });
      const places = claimPlaces(text.repository, this.settings.forges);
      if (places === null) {
        const { host } = new URL(text.repository);
        throw registryRefusal('invalid_request', { case: 'forge', host, forges: this.settings.forges });
      }
      const key = [nodeKey(nodeId), publisher];
      const { rows } = await unit.client.query<{ challenge: string }>(findSql, key);
      if (rows[0] !== undefined) return { places, challenge: rows[0].challenge, isNew: false };
      const challenge = `heddle-claim-${randomBytes(16).toString('hex')}`;
      await unit.client.query(insertSql, [...key, challenge]);
      return { places, challenge, isNew: true };
    });
  }

  async #claim(write: NodeWrite): Promise<void> {
    await this.log.commit(async (unit) => {
      const { node, events } = await this.#claimed(unit, write);
      await unit.changeNode(node, events);
      await unit.client.query(endSql, [nodeKey(write.nodeId)]);
    });
  }

  /** The node, locked, with what its claim appends. */
  async #claimed(
    unit: RegistryUnit,
    { publisher, nodeId, caller }: NodeWrite,
  ): Promise<{ readonly node: Stored<RegistryNodeState>; readonly events: readonly NodeEvent[] }> {
    await writingPublisher(unit, publisher);
    const node = await readableNode(unit, nodeId);
    const { nodeId: id, publisherId } = node.state;
    const events = acceptedEvents(claimNode(node.state, actorOf(caller), publisher), {
      not_unclaimed: () => registryRefusal('already_set', { case: 'not_unclaimed', id, publisher: publisherId }),
      not_active: () => registryRefusal('not_found', { case: 'node', id }),
    });
    return { node, events };
  }
}
