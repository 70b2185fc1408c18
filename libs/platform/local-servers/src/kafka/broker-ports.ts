import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { BrokerPorts } from './broker-properties.js';

/** Below the ranges from which systems take ports for outgoing connections. */
const LOWEST = 20_000;
const HIGHEST = 31_990;
const PORTS_OF_A_BROKER = 3;
const NOTE = 'ports.json';

/**
 * The ports of `count` brokers: those given (the client port, with the controller's and the internal one right above), else those of
 * the last start over this folder while they are free, else free ones.
 */
export async function brokerPorts(dataDir: string, count: number, given?: readonly number[]): Promise<BrokerPorts[]> {
  if (given && given.length !== count) {
    throw new Error(`${count} Kafka brokers need ${count} client ports, and ${given.length} are given.`);
  }
  const note = join(dataDir, NOTE);
  const kept: number[] = existsSync(note) ? (JSON.parse(readFileSync(note, 'utf8')) as number[]) : [];
  const first: number[] = [];
  for (let i = 0; i < count; i++) first.push(given?.[i] ?? (await freeOrKept(kept[i], first)));
  writeFileSync(note, JSON.stringify(first));
  return first.map((client) => ({ client, controller: client + 1, internal: client + 2 }));
}

async function freeOrKept(kept: number | undefined, taken: readonly number[]): Promise<number> {
  if (kept !== undefined && (await areFree(kept))) return kept;
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(LOWEST, HIGHEST);
    const apart = taken.every((other) => Math.abs(other - port) >= PORTS_OF_A_BROKER);
    if (apart && (await areFree(port))) return port;
  }
  throw new Error(
    `No ${PORTS_OF_A_BROKER} free ports in a row for Kafka between ${LOWEST} and ${HIGHEST} on 127.0.0.1.`,
  );
}

async function areFree(first: number): Promise<boolean> {
  for (let port = first; port < first + PORTS_OF_A_BROKER; port++) if (!(await isFree(port))) return false;
  return true;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
