import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ranges from which systems take ports for outgoing connections, so that a kept port stays free over restarts. */
const LOWEST = 20_000;
const HIGHEST = 31_999;

export async function isFree(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port for the embedded PostgreSQL between ${LOWEST} and ${HIGHEST} on 127.0.0.1.`);
}
