import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PEERS = ['pg-boss', 'graphile-worker', 'bullmq'];

/** Peers have a folder and a lockfile of their own, so that the product never installs them; absent ones are named. */
export function printPeers(): void {
  const folder = fileURLToPath(new URL('peers/node_modules/', import.meta.url));
  for (const peer of PEERS) {
    if (!existsSync(`${folder}${peer}`)) console.log(`${peer}: absent (npm ci in test/bench/peers brings it)`);
  }
}
