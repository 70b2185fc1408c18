import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the systems' ranges for outgoing connections: a port chosen here stays free until its server binds it, and
 * across restarts.
 */
const LOWEST = 20_000;
const HIGHEST = 31_999;
const SPAN = HIGHEST - LOWEST + 1;
/** Ports of servers that end and come back: below those above, so that nobody takes one in between. */
const LOWEST_LASTING = 12_000;
/** Coprime with SPAN, so that every process starts at another port. */
const APART = 101;
const ATTEMPTS = 2_000;

/**
 * This process continues after its last choice: it never chooses a port twice, and other processes choose elsewhere.
 */
let next = (process.pid * APART) % SPAN;

export async function isFree(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/**
 * The first of `inRow` consecutive ports of 127.0.0.1 without a listener. Nothing reserves them: a server that finds
 * one taken retries on others.
 */
export async function freePort(inRow = 1): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (next + inRow > SPAN) next = 0;
    const first = LOWEST + next;
    next += inRow;
    if (await areFree(first, inRow)) return first;
  }
  throw new Error(
    `no ${inRow === 1 ? 'free port' : `${inRow} free ports in a row`} on 127.0.0.1 from ${LOWEST} to ${HIGHEST}`,
  );
}

/** As `freePort`, for a server that may end and come back on the same ports. */
export async function lastingPort(inRow = 1): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const first = randomInt(LOWEST_LASTING, LOWEST - inRow + 1);
    if (await areFree(first, inRow)) return first;
  }
  throw new Error(`no ${inRow} free ports in a row on 127.0.0.1 from ${LOWEST_LASTING} to ${LOWEST - 1}`);
}

/** True if none of the `inRow` ports from `first` on has a listener. */
export async function areFree(first: number, inRow: number): Promise<boolean> {
  for (let port = first; port < first + inRow; port++) if (!(await isFree(port))) return false;
  return true;
}
