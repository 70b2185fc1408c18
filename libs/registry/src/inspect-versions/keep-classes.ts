import { createHash } from 'node:crypto';
import type { WfNode } from '@heddle/contracts-registry';
import type { PoolClient } from 'pg';
import { deleteClassesSql, insertClassesSql, insertListSql } from './waiting-versions.sql.js';

/** Maximum bytes of the classes of a version, as JSON. */
export const MAX_CLASS_LIST_BYTES = 16 * 1024 ** 2;

/** Stores the classes of a version, in place of those that it had. Returns the hash of their list. */
export async function keepClasses(client: PoolClient, versionId: string, nodes: readonly WfNode[]): Promise<string> {
  const content = Buffer.from(JSON.stringify(nodes));
  const hash = createHash('sha256').update(content).digest('hex');
  await client.query(insertListSql, [hash, content]);
  await client.query(deleteClassesSql, [versionId]);
  const names = nodes.map(({ wf_node_name: name }) => name);
  await client.query(insertClassesSql, [versionId, names, nodes.map((node) => JSON.stringify(node))]);
  return hash;
}
