import { Inject, Injectable } from '@nestjs/common';
import type { NodeWire } from '@heddle/contracts-registry';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import type { Pool } from 'pg';
import type { RegistryCaller } from '../authorize/caller.js';
import { findPackagesSql } from '../find-packages/find-packages.sql.js';
import type { PackageRow } from '../find-packages/find-packages.sql.js';
import { REGISTRY_POOL } from '../registry-pool.js';
import { foldText } from '../search-nodes/search-terms.js';
import { ShowNodeHandler } from '../show-node/show-node.handler.js';

/** The node that provides a class. */
@Injectable()
export class FindClassNodeHandler {
  constructor(
    @Inject(REGISTRY_POOL) private readonly pool: Pool,
    private readonly nodes: ShowNodeHandler,
  ) {}

  async handle(name: string, caller: RegistryCaller, url: string): Promise<NodeWire> {
    const values = [[name], [foldText(name)]];
    const { rows } = await this.pool.query<PackageRow>({
      name: 'registry.find-packages',
      text: findPackagesSql,
      values,
    });
    if (rows[0] === undefined) throw registryRefusal('not_found', { case: 'wf_node', name });
    return await this.nodes.handle(rows[0].node_id, caller, url);
  }
}
