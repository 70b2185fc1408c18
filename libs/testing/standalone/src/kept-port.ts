import { randomInt } from 'node:crypto';
import { areFree } from '@heddle/platform-database';

/** Below the ports that servers of Heddle and of tests choose for themselves (`freePort`). */
const MIN_PORT = 12_000;
const HIGHEST = 19_999;
const ATTEMPTS = 200;

/** A port of 127.0.0.1 for consecutive servers: nobody else takes it in between. */
export async function keptPort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(MIN_PORT, HIGHEST + 1);
    if (await areFree(port, 1)) return port;
  }
  throw new Error(`no free port on 127.0.0.1 from ${MIN_PORT} to ${HIGHEST}`);
}
