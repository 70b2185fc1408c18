import { createServer } from 'node:net';

/**
 * Below the ranges from which systems take ports for outgoing connections: a port that is chosen here stays free until its server
 * binds it, and a kept one over restarts.
 */
const LOWEST = 20_000;
const HIGHEST = 31_999;
const SPAN = HIGHEST - LOWEST + 1;
/** Has no divisor in common with SPAN, so that every process begins at another place. */
const APART = 101;
const ATTEMPTS = 2_000;

/** This process goes on from its last choice: it never chooses one twice, and others choose elsewhere meanwhile. */
let next = (process.pid * APART) % SPAN;

export async function isFree(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/**
 * A port of 127.0.0.1 that nobody listens on now, the first of `inRow` such. Nothing reserves it: a server that finds it taken
 * starts again on another one.
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

/** Whether this port and those above it, `inRow` in all, have nobody who listens. */
export async function areFree(first: number, inRow: number): Promise<boolean> {
  for (let port = first; port < first + inRow; port++) if (!(await isFree(port))) return false;
  return true;
}
