import { Injectable } from '@nestjs/common';
import type { BlobKey } from '@heddle/platform-blob-store';
import { endExtraction, endScan, wantsClasses } from '@heddle/registry-domain';
import type { VersionEvent, VersionState } from '@heddle/registry-domain';
import type { Inspection } from '@heddle/registry-inspection';
import { RegistryLog } from '../commit-events/registry-log.js';
import type { RegistryUnit, Stored } from '../commit-events/registry-unit.js';
import { registryFailpoint } from '../failpoints.js';
import { RegistryLogger } from '../registry-logger.js';
import { keepClassList } from './keep-classes.js';
import { StoredPackageInspector, type InspectionLane } from './stored-package-inspector.js';
import { endRescanSql } from './waiting-versions.sql.js';
import type { WaitingVersion } from './waiting-versions.sql.js';

const ACTOR = 'heddle';

const UNSTORABLE = 'The classes of the package cannot be stored.';

/** Ends the wait of a version: its scan and its node classes. Done again after a crash, with the same end. */
@Injectable()
export class VersionInspector {
  constructor(
    private readonly packages: StoredPackageInspector,
    private readonly log: RegistryLog,
    private readonly logger: RegistryLogger,
  ) {}

  /** Rejects once `stop` is aborted, and where it takes too long for its lane; the version waits on. */
  async inspect(waiting: WaitingVersion, lane: InspectionLane, stop: AbortSignal): Promise<void> {
    const inspection = await this.packages.inspect(waiting.blob as BlobKey, lane, stop);
    registryFailpoint('registry.inspection.ended');
    try {
      await this.#store(waiting, inspection);
    } catch (error) {
      if (!isRefusedData(error) || inspection.extraction.names.length === 0) throw error;
      // Classes that cannot be stored must not keep a version from its verdict, for ever.
      this.logger.error('the classes of a version were not stored', error);
      const { InspectedExtraction } = await import('@heddle/registry-inspection');
      await this.#store(waiting, { ...inspection, extraction: InspectedExtraction.failed(UNSTORABLE) });
    }
  }

  async #store({ version_id, node_id, version, blob }: WaitingVersion, inspection: Inspection): Promise<void> {
    await this.log.commit(async (unit) => {
      await unit.node(node_id);
      const stored = (await unit.version(node_id, version))!;
      if (stored.state.bytes?.blob !== blob) return;
      const { rowCount } = await unit.client.query(endRescanSql, [version_id]);
      await unit.changeVersion(stored, await ended(unit, stored, inspection, rowCount === 1));
    });
  }
}

async function ended(
  { client }: RegistryUnit,
  { streamId, state }: Stored<VersionState>,
  inspection: Inspection,
  isRescan: boolean,
): Promise<readonly VersionEvent[]> {
  const scanned = endScan(state, { actor: ACTOR, findings: inspection.findings }, isRescan).events;
  if (!wantsClasses(state, isRescan)) return scanned;
  const { names, json, status, reason } = inspection.extraction;
  const class_list = await keepClassList(client, streamId, { names, json });
  const data = { actor: ACTOR, status, reason, class_list, classes: names.length };
  return [...scanned, ...endExtraction(state, data, isRescan).events];
}

/** PostgreSQL takes no such value, or none of such a size: the same data fails again. */
function isRefusedData(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:22|54)/.test(String(error.code));
}
