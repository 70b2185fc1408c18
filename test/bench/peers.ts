import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Sample } from './rows.ts';
import type { BenchServers } from './servers.ts';

const SCRIPT = fileURLToPath(new URL('peers/peers.ts', import.meta.url));
const INSTALLED = fileURLToPath(new URL('peers/node_modules/pg-boss', import.meta.url));

/** Row S4. Other job queues have their own folder and lockfile, so that the product never installs them. */
export async function measurePeers({ floorDatabase }: BenchServers): Promise<Sample> {
  if (!existsSync(INSTALLED)) return {};
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, floorDatabase.url]);
  const rates = JSON.parse(stdout) as Record<string, number>;
  return Object.fromEntries(Object.entries(rates).map(([name, rate]) => [`${name}.rate`, rate]));
}

/** Lists the peers that are not in the table, with the reason. */
export function absentPeers(): string[] {
  const absent = existsSync(INSTALLED)
    ? []
    : ['pg-boss, graphile-worker: absent (npm ci in test/bench/peers brings them)'];
  return [...absent, 'bullmq: absent (it needs a Redis server)'];
}
