import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** Where `npm run cluster` keeps its data, below standalone's folder. */
const CLUSTER = 'cluster';

/**
 * The next step for a user who means a local cluster's log but named the folder around it; null if there is no cluster.
 */
export function clusterLogBeside(dataDir: string): string | null {
  const inside = resolve(dataDir, CLUSTER);
  if (existsSync(join(inside, 'postgres')))
    return `a cluster keeps its log in a folder of its own: --data ${relative(process.cwd(), inside)}`;
  const url = databaseUrlIn(inside) ?? databaseUrlIn(resolve(dataDir));
  return url === null
    ? null
    : `the cluster keeps its log in another database: --database-url ${url}, with its password`;
}

/** From the launcher's state, without its password; null: the cluster has its own database, or none runs. */
function databaseUrlIn(folder: string): string | null {
  try {
    const { databaseUrl } = JSON.parse(readFileSync(join(folder, 'cluster.json'), 'utf8')) as { databaseUrl?: unknown };
    return typeof databaseUrl === 'string' ? databaseUrl : null;
  } catch {
    return null;
  }
}
