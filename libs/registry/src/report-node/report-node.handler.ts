import { Injectable } from '@nestjs/common';
import { checkedBody } from '@heddle/platform-http';
import { reportNode } from '@heddle/registry-domain';
import { actorOf } from '../authorize/caller.js';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import { Requests } from '../keep-requests/requests.js';
import { readableNode } from '../load-for-write/written-nodes.js';
import type { GivenFields } from '../read-request/given-fields.js';

/** An account tells the operator of a node. While its report waits another one changes nothing. */
@Injectable()
export class ReportNodeHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly membership: Membership,
    private readonly requests: Requests,
  ) {}

  async handle(nodeId: string, caller: RegistryCaller, fields: GivenFields): Promise<void> {
    const subject = this.membership.account(caller);
    const body = await checkedBody(fields, async () => (await import('./report-body.dto.js')).ReportBody);
    const { reason, message } = body.toReport();
    await this.log.commit(async (unit) => {
      const node = await readableNode(unit, nodeId);
      const text = message === '' ? reason : `${reason}: ${message}`;
      const isNew = await this.requests.open(unit, { kind: 'report', nodeId, subject, text });
      if (isNew) await unit.changeNode(node, reportNode(actorOf(caller), reason, message).events);
    });
  }
}
