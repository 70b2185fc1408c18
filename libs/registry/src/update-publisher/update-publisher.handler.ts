import { Injectable } from '@nestjs/common';
import type { PublisherProfile, PublisherWire } from '@heddle/contracts-registry';
import { checkedBody } from '@heddle/platform-http';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import { NodeReads } from '../find-nodes/node-reads.js';
import { writingPublisher } from '../load-for-write/written-nodes.js';
import type { GivenFields } from '../read-request/given-fields.js';
import { renderPublisher } from '../render-wire/publisher-wire.js';

const profileSql = 'select profile from registry.publisher where publisher_id = $1';
const setProfileSql = 'update registry.publisher set profile = $2 where publisher_id = $1';

/** What an owner says of a publisher; what is absent stays as it was. */
@Injectable()
export class UpdatePublisherHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly membership: Membership,
    private readonly nodes: NodeReads,
  ) {}

  async handle(publisher: string, caller: RegistryCaller, fields: GivenFields): Promise<PublisherWire> {
    await this.membership.owner(caller, publisher);
    await this.log.commit(async (unit) => {
      await writingPublisher(unit, publisher, 'update');
      const load = async () => (await import('../create-publisher/publisher-body.dto.js')).ProfileBody;
      const body = await checkedBody(fields, load);
      const { rows } = await unit.client.query<{ profile: PublisherProfile }>(profileSql, [publisher]);
      await unit.client.query(setProfileSql, [publisher, JSON.stringify(body.toProfile(rows[0]!.profile))]);
    });
    return renderPublisher((await this.nodes.publisher(publisher))!);
  }
}
