import { webcrypto } from 'node:crypto';
import type { WfNode } from '@heddle/contracts-registry';
import type { PoolClient } from 'pg';
import { deleteClassesSql, insertClassesSql, insertListSql } from './waiting-versions.sql.js';

/** Classes of a version as one JSON array, with their names in its order. */
interface StoredClasses {
  readonly names: readonly string[];
  readonly json: Uint8Array;
}

/** Stores the classes of a version, in place of those that it had. Returns the hash of their list. */
export async function keepClasses(client: PoolClient, versionId: string, nodes: readonly WfNode[]): Promise<string> {
  const names = nodes.map(({ wf_node_name: name }) => name);
  return await keepClassList(client, versionId, { names, json: Buffer.from(JSON.stringify(nodes)) });
}

/** As `keepClasses`. The database takes the list apart: here, the JSON of 20,000 classes would hold up every request. */
export async function keepClassList(
  client: PoolClient,
  versionId: string,
  { names, json }: StoredClasses,
): Promise<string> {
  const content = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const hash = Buffer.from(await webcrypto.subtle.digest('SHA-256', content)).toString('hex');
  await client.query(insertListSql, [hash, content]);
  await client.query(deleteClassesSql, [versionId]);
  await client.query(insertClassesSql, [versionId, JSON.stringify(names), hash]);
  return hash;
}
