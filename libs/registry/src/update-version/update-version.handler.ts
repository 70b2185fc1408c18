import { Injectable } from '@nestjs/common';
import { checkedBody } from '@heddle/platform-http';
import { deprecate } from '@heddle/registry-domain';
import type { RegistryCaller } from '../authorize/caller.js';
import { acceptedEvents } from '../commit-events/accepted-events.js';
import { versionRefusals, WrittenVersions } from '../load-for-write/written-versions.js';
import type { VersionPath } from '../load-for-write/written-versions.js';
import type { GivenFields } from '../read-request/given-fields.js';

/** What a publisher changes of a version after its bytes came: its changelog and its deprecation. */
@Injectable()
export class UpdateVersionHandler {
  constructor(private readonly versions: WrittenVersions) {}

  /** Returns the id of the version. */
  async handle(path: VersionPath, caller: RegistryCaller, fields: GivenFields): Promise<string> {
    return await this.versions.write({ path, caller, action: 'deprecate' }, async ({ unit, nodeId, stored, actor }) => {
      const body = await checkedBody(
        fields,
        async () => (await import('./version-change-body.dto.js')).VersionChangeBody,
      );
      const { banned, deleted } = versionRefusals(nodeId, stored.state);
      const events = acceptedEvents(deprecate(stored.state, body.toChange(), actor), { banned, deleted });
      return (await unit.changeVersion(stored, events)).streamId;
    });
  }
}
