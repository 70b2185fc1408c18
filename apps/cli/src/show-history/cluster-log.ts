import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** Where `npm run cluster` keeps its data, below the folder of standalone. */
const CLUSTER = 'cluster';

/** The next step for somebody who means the log of a local cluster and named the folder around it; null where there is none. */
export function clusterLogBeside(dataDir: string): string | null {
  const inside = resolve(dataDir, CLUSTER);
  if (existsSync(join(inside, 'postgres')))
    return `a cluster keeps its log in a folder of its own: --data ${relative(process.cwd(), inside)}`;
  const url = databaseUrlIn(inside) ?? databaseUrlIn(resolve(dataDir));
  return url === null
    ? null
    : `the cluster keeps its log in another database: --database-url ${url}, with its password`;
}

/** Of the launcher's state, without its password; null: the cluster has a database of its own, or none runs. */
function databaseUrlIn(folder: string): string | null {
  try {
    const { databaseUrl } = JSON.parse(readFileSync(join(folder, 'cluster.json'), 'utf8')) as { databaseUrl?: unknown };
    return typeof databaseUrl === 'string' ? databaseUrl : null;
  } catch {
    return null;
  }
}
