import { Injectable } from '@nestjs/common';
import type { RegistryVerdict, VersionName } from '@heddle/contracts-messages';
import { rescan } from '@heddle/registry-domain';
import { adminRefused, adminVersion, versionVerdict } from '../answer-admin/admin-names.js';
import { acceptedEvents } from '../commit-events/accepted-events.js';
import { RegistryLog } from '../commit-events/registry-log.js';

const waitAgainSql = 'update registry.version set waits = true, is_rescan = true where version_id = $1';

/** An operator has a version scanned again. */
@Injectable()
export class RescanVersionHandler {
  constructor(private readonly log: RegistryLog) {}

  /** The version keeps its status until the scan has ended. */
  async handle(name: VersionName): Promise<RegistryVerdict> {
    return await this.log.commit(async (unit) => {
      const { node, version, id } = await adminVersion(unit, name);
      const { status } = version.state;
      acceptedEvents(rescan(version.state), {
        no_bytes: () => adminRefused('already_set', { case: 'no_bytes', id }),
        wrong_status: () => adminRefused('already_set', { case: 'rescan', id, status }),
      });
      await unit.client.query(waitAgainSql, [version.streamId]);
      return versionVerdict(node, version.state);
    });
  }
}
