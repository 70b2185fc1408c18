import { Injectable } from '@nestjs/common';
import { deleteVersion } from '@heddle/registry-domain';
import type { RegistryCaller } from '../authorize/caller.js';
import { acceptedEvents } from '../commit-events/accepted-events.js';
import { Requests } from '../keep-requests/requests.js';
import { versionRefusals, WrittenVersions } from '../load-for-write/written-versions.js';
import type { VersionPath } from '../load-for-write/written-versions.js';

/** The end of a version, by its publisher. */
@Injectable()
export class DeleteVersionHandler {
  constructor(
    private readonly versions: WrittenVersions,
    private readonly requests: Requests,
  ) {}

  /** Again: nothing more happens. */
  async handle(path: VersionPath, caller: RegistryCaller): Promise<void> {
    await this.versions.write({ path, caller, action: 'delete' }, async ({ unit, nodeId, stored, actor }) => {
      const { banned } = versionRefusals(nodeId, stored.state);
      const events = acceptedEvents(deleteVersion(stored.state, actor, 'deleted by its publisher'), { banned });
      await unit.changeVersion(stored, events);
      await this.requests.closeReview(unit, nodeId, stored.streamId);
    });
  }
}
