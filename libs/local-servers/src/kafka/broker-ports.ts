import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { areFree, lastingPort } from '@heddle/platform-database';
import type { BrokerPorts } from './broker-properties.js';

const PORTS_OF_A_BROKER = 3;
const NOTE = 'ports.json';

/**
 * The ports of `count` brokers: the given client ports (with the controller port and the internal port right above),
 * else those of the last start on this folder if they are free, else free ones.
 */
export async function brokerPorts(dataDir: string, count: number, given?: readonly number[]): Promise<BrokerPorts[]> {
  if (given && given.length !== count) {
    throw new Error(`${count} Kafka brokers need ${count} client ports, and ${given.length} are given.`);
  }
  const note = join(dataDir, NOTE);
  const kept: number[] = existsSync(note) ? (JSON.parse(readFileSync(note, 'utf8')) as number[]) : [];
  const first: number[] = [];
  for (let i = 0; i < count; i++) first.push(given?.[i] ?? (await freeOrKept(kept[i])));
  writeFileSync(note, JSON.stringify(first));
  return first.map((client) => ({ client, controller: client + 1, internal: client + 2 }));
}

/** All ports of brokers with these client ports. */
export function givenPorts(client: readonly number[] = []): number[] {
  return client.flatMap((port) => Array.from({ length: PORTS_OF_A_BROKER }, (_, above) => port + above));
}

async function freeOrKept(kept: number | undefined): Promise<number> {
  if (kept !== undefined && (await areFree(kept, PORTS_OF_A_BROKER))) return kept;
  return await lastingPort(PORTS_OF_A_BROKER);
}
