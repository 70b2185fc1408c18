import { Inject, Injectable } from '@nestjs/common';
import type { WfNodeWire } from '@heddle/contracts-registry';
import { isNodeId, nodeKey } from '@heddle/registry-domain';
import type { Pool } from 'pg';
import { REGISTRY_POOL } from '../registry-pool.js';
import { foldText } from '../search-nodes/search-terms.js';
import {
  classPartsSql,
  latestSourceSql,
  namedLatestSql,
  namedOfNumberSql,
  sourcesOfNumberSql,
} from './class-pages.sql.js';
import type { ClassRow, ClassSource } from './class-pages.sql.js';
import { ClassList } from './class-parts.js';
import type { ClassPart } from './class-parts.js';

/** Which classes are asked for: all that match what is not null. */
export interface ClassFilter {
  readonly nodeId: string | null;
  /** Normalised. */
  readonly version: string | null;
  readonly name: string | null;
}

type NamedRow = Omit<ClassSource, 'classes'> & { readonly first: number };

/** Node classes as they are committed. */
@Injectable()
export class ClassReads {
  constructor(@Inject(REGISTRY_POOL) private readonly pool: Pool) {}

  /** Versions whose classes match, but for a name: of a node, of a number, or both. */
  async sources({ nodeId, version }: ClassFilter): Promise<ClassList> {
    const key = keyOf(nodeId);
    if (key === undefined) return new ClassList([]);
    const [text, values] = version === null ? [latestSourceSql, [key]] : [sourcesOfNumberSql, [key, version]];
    return new ClassList((await this.pool.query<ClassSource>(text, values)).rows);
  }

  /** Where a name stands in each version, in the order of the nodes' ids. */
  async named({ nodeId, version, name }: ClassFilter): Promise<readonly ClassPart[]> {
    const key = keyOf(nodeId);
    if (key === undefined || name === null) return [];
    const text = version === null ? namedLatestSql : namedOfNumberSql;
    const { rows } = await this.pool.query<NamedRow>(text, [key, version, name, foldText(name)]);
    return rows
      .sort((one, other) => (one.node_id < other.node_id ? -1 : 1))
      .map(({ version_id: versionId, first }) => ({ versionId, first, last: first }));
  }

  async parts(parts: readonly ClassPart[]): Promise<readonly WfNodeWire[]> {
    if (parts.length === 0) return [];
    const { rows } = await this.pool.query<ClassRow>({
      name: 'registry.class-parts',
      text: classPartsSql,
      values: [parts.map(({ versionId }) => versionId), parts.map(({ first }) => first), parts.map(({ last }) => last)],
    });
    return rows.map(({ doc, node_id, version: node_version }) => ({ ...doc, node_id, node_version }));
  }
}

/** Null: every node is asked for. Undefined: the id is invalid, so nothing matches. */
function keyOf(nodeId: string | null): string | null | undefined {
  if (nodeId === null) return null;
  return isNodeId(nodeId) ? nodeKey(nodeId) : undefined;
}
