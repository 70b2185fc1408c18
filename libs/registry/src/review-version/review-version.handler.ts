import { Injectable } from '@nestjs/common';
import { invalidFields } from '@heddle/contracts-messages';
import type { RegistryVerdict, VersionName } from '@heddle/contracts-messages';
import { RejectionError } from '@heddle/platform-http';
import { review } from '@heddle/registry-domain';
import { ADMIN, adminRefused, adminVersion, versionVerdict } from '../answer-admin/admin-names.js';
import { acceptedEvents } from '../commit-events/accepted-events.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import { registryFailpoint } from '../failpoints.js';
import { Requests } from '../keep-requests/requests.js';

const STATUSES = ['active', 'flagged', 'banned', 'deleted'] as const;

/** What an operator makes of a version. */
@Injectable()
export class ReviewVersionHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly requests: Requests,
  ) {}

  async handle(name: VersionName, asked: string, reason: string): Promise<RegistryVerdict> {
    const wanted = STATUSES.find((status) => status === asked);
    if (wanted === undefined) {
      throw new RejectionError(invalidFields({ status: `must be one of ${STATUSES.join(', ')}` }));
    }
    return await this.log.commit(async (unit) => {
      const { node, version, id } = await adminVersion(unit, name);
      const { status } = version.state;
      const events = acceptedEvents(review(version.state, wanted, ADMIN, reason), {
        no_bytes: () => adminRefused('already_set', { case: 'no_bytes', id }),
        wrong_status: () => adminRefused('already_set', { case: 'status', id, status, wanted }),
      });
      const { state } = await unit.changeVersion(version, events);
      registryFailpoint('registry.review.decided');
      await this.requests.closeReview(unit, name.nodeId, version.streamId);
      await this.requests.closeReports(unit, name.nodeId);
      return versionVerdict(node, state);
    });
  }
}
