import { Injectable } from '@nestjs/common';
import type { BlobKey } from '@heddle/platform-blob-store';
import { endExtraction, endScan, wantsClasses } from '@heddle/registry-domain';
import type { VersionEvent, VersionState } from '@heddle/registry-domain';
import type { Inspection } from '@heddle/registry-inspection';
import { RegistryLog } from '../commit-events/registry-log.js';
import type { RegistryUnit, Stored } from '../commit-events/registry-unit.js';
import { registryFailpoint } from '../failpoints.js';
import { RegistryLogger } from '../registry-logger.js';
import { keepClasses, MAX_CLASS_LIST_BYTES } from './keep-classes.js';
import { StoredPackageInspector } from './stored-package-inspector.js';
import { endRescanSql } from './waiting-versions.sql.js';
import type { WaitingVersion } from './waiting-versions.sql.js';

const ACTOR = 'heddle';

const UNSTORABLE = { status: 'failed', reason: 'The classes of the package cannot be stored.', nodes: [] } as const;

/** Ends the wait of a version: its scan and its node classes. Done again after a crash, with the same end. */
@Injectable()
export class VersionInspector {
  constructor(
    private readonly packages: StoredPackageInspector,
    private readonly log: RegistryLog,
    private readonly logger: RegistryLogger,
  ) {}

  /** Rejects once `stop` is aborted; the version waits on. */
  async inspect(waiting: WaitingVersion, stop: AbortSignal): Promise<void> {
    const inspection = await this.packages.inspect(waiting.blob as BlobKey, stop);
    registryFailpoint('registry.inspection.ended');
    try {
      await this.#store(waiting, inspection);
    } catch (error) {
      if (!isRefusedData(error) || inspection.extraction.nodes.length === 0) throw error;
      // Classes that cannot be stored must not keep a version from its verdict, for ever.
      this.logger.error('the classes of a version were not stored', error);
      await this.#store(waiting, { ...inspection, extraction: UNSTORABLE });
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
  const { nodes, status, reason } = bounded(inspection);
  const class_list = await keepClasses(client, streamId, nodes);
  const data = { actor: ACTOR, status, reason, class_list, classes: nodes.length };
  return [...scanned, ...endExtraction(state, data, isRescan).events];
}

/** A list that is larger than a version may have is left out, and the reason says so. */
function bounded({ extraction }: Inspection): Inspection['extraction'] {
  if (Buffer.byteLength(JSON.stringify(extraction.nodes)) * 2 <= MAX_CLASS_LIST_BYTES) return extraction;
  return { status: 'failed', reason: 'The classes of the package are larger than 8 MiB.', nodes: [] };
}

/** PostgreSQL takes no such value, or none of such a size: the same data fails again. */
function isRefusedData(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:22|54)/.test(String(error.code));
}
