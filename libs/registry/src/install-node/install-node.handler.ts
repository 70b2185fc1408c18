import { Inject, Injectable } from '@nestjs/common';
import type { NodeVersionWire } from '@heddle/contracts-registry';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { isNodeId, nodeKey } from '@heddle/registry-domain';
import type { Pool } from 'pg';
import { ReadCache } from '../answer-reads/read-cache.js';
import { assertNotBanned } from '../authorize/ban-refusals.js';
import { REGISTRY_POOL } from '../registry-pool.js';
import { renderVersion } from '../render-wire/version-wire.js';
import type { VersionRecord } from '../render-wire/version-wire.js';
import { assertReadable } from '../show-version/show-version.handler.js';
import { VersionSigner } from '../sign-versions/version-signer.js';
import { installVersionSql } from './install-node.sql.js';

interface InstallQuestion {
  readonly nodeId: string;
  /** Normalised; null: the latest. */
  readonly version: string | null;
  /** Whether it counts as a download. */
  readonly counts: boolean;
  /** The registry's address. */
  readonly url: string;
}

/** The version that an installation gets (registry decisions, install). */
@Injectable()
export class InstallNodeHandler {
  constructor(
    @Inject(REGISTRY_POOL) private readonly pool: Pool,
    private readonly signer: VersionSigner,
    private readonly cache: ReadCache,
  ) {}

  async handle({ nodeId, version, counts, url }: InstallQuestion): Promise<NodeVersionWire> {
    const found = isNodeId(nodeId) ? await this.#found(nodeId, version, counts) : null;
    if (found === null || found.node_status === 'deleted')
      throw registryRefusal('not_found', { case: 'node', id: nodeId });
    assertInstallable(found, version);
    if (counts) this.cache.downloaded(nodeKey(nodeId));
    return renderVersion(found, { url, signer: this.signer, withReason: false });
  }

  async #found(nodeId: string, version: string | null, counts: boolean): Promise<InstallRecord | null> {
    const values = [nodeKey(nodeId), version, counts];
    const name = `registry.install-${version === null ? 'latest' : 'version'}`;
    const { rows } = await this.pool.query<InstallRecord>({ name, text: installVersionSql, values });
    return rows[0] ?? null;
  }
}

type InstallRecord = Omit<VersionRecord, 'version_id'> & { readonly version_id: string | null };

/** Only bytes can be installed: a version that waits for its bytes or its scan is not there, for its members neither. */
function assertInstallable(record: InstallRecord, version: string | null): asserts record is VersionRecord {
  const { version_id: versionId, node_id: id } = record;
  assertNotBanned(record, '');
  if (versionId === null) {
    throw registryRefusal(
      'not_found',
      version === null ? { case: 'no_version', id } : { case: 'version', id, version },
    );
  }
  assertReadable({ ...record, version_id: versionId }, false);
}
