import { Inject, Injectable } from '@nestjs/common';
import type { WfNode, WfNodeWire } from '@heddle/contracts-registry';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import type { Pool } from 'pg';
import type { RegistryCaller } from '../authorize/caller.js';
import { ClassReads } from '../list-wf-nodes/class-reads.js';
import { REGISTRY_POOL } from '../registry-pool.js';
import { ShowVersionHandler } from '../show-version/show-version.handler.js';

const oneClassSql = `select doc from registry.wf_node where version_id = $1 and name = $2`;

interface ClassesOf {
  readonly nodeId: string;
  /** As it was asked. */
  readonly version: string;
  readonly caller: RegistryCaller;
}

export interface VersionClassPage {
  readonly wf_nodes: readonly WfNodeWire[];
  readonly total: number;
  readonly totalNumberOfPages: number;
}

/** The node classes of a version that the caller may see. */
@Injectable()
export class ListVersionClassesHandler {
  constructor(
    private readonly versions: ShowVersionHandler,
    private readonly classes: ClassReads,
    @Inject(REGISTRY_POOL) private readonly pool: Pool,
  ) {}

  /** `page` counts from 1. */
  async page({ nodeId, version, caller }: ClassesOf, page: number, limit: number): Promise<VersionClassPage> {
    const { found } = await this.versions.readable(nodeId, version, caller);
    const total = found.state.extraction?.classes ?? 0;
    const first = (page - 1) * limit;
    const last = Math.min(first + limit, total) - 1;
    const parts = first <= last ? [{ versionId: found.version_id, first, last }] : [];
    return { wf_nodes: await this.classes.parts(parts), total, totalNumberOfPages: Math.ceil(total / limit) };
  }

  async one({ nodeId, version, caller }: ClassesOf, name: string): Promise<WfNodeWire> {
    const { found } = await this.versions.readable(nodeId, version, caller);
    const { rows } = await this.pool.query<{ doc: WfNode }>(oneClassSql, [found.version_id, name]);
    if (rows[0] === undefined) throw registryRefusal('not_found', { case: 'wf_node', name });
    return { ...rows[0].doc, node_id: found.node_id, node_version: found.state.version };
  }
}
