import { Injectable } from '@nestjs/common';
import { checkedBody } from '@heddle/platform-http';
import { requestReview } from '@heddle/registry-domain';
import type { RegistryCaller } from '../authorize/caller.js';
import { acceptedEvents } from '../commit-events/accepted-events.js';
import { Requests } from '../keep-requests/requests.js';
import { versionRefusals, WrittenVersions } from '../load-for-write/written-versions.js';
import type { VersionPath } from '../load-for-write/written-versions.js';
import type { GivenFields } from '../read-request/given-fields.js';

/** A publisher asks the operator to look at a flagged version again. */
@Injectable()
export class RequestReviewHandler {
  constructor(
    private readonly versions: WrittenVersions,
    private readonly requests: Requests,
  ) {}

  /** While a request waits another one changes nothing. */
  async handle(path: VersionPath, caller: RegistryCaller, fields: GivenFields): Promise<void> {
    await this.versions.write({ path, caller, action: 'publish' }, async ({ unit, nodeId, stored, actor }) => {
      const load = async () => (await import('./review-request-body.dto.js')).ReviewRequestBody;
      const message = (await checkedBody(fields, load)).toMessage();
      const { not_flagged } = versionRefusals(nodeId, stored.state);
      const events = acceptedEvents(requestReview(stored.state, actor, message), { not_flagged });
      const isNew = await this.requests.open(unit, { kind: 'review', nodeId, subject: stored.streamId, text: message });
      if (isNew) await unit.changeVersion(stored, events);
    });
  }
}
