import { readFile } from 'node:fs/promises';

const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
/** `sl local_address rem_address st tx_queue:rx_queue …`; addresses are `address:port` in hex. */
const LINE = /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) \w\w ([0-9A-F]+):/gm;

/**
 * Bytes per TCP connection, keyed by `portsOf`, that the system holds because the peer has not accepted them. Null if
 * the system does not report this (only Linux with /proc does).
 */
export async function kernelQueues(): Promise<ReadonlyMap<string, string> | null> {
  const texts = await Promise.all(TABLES.map((table) => readFile(table, 'latin1').catch(() => null)));
  if (texts.every((text) => text === null)) return null;
  const queues = new Map<string, string>();
  for (const text of texts) {
    if (text === null) continue;
    for (const [, local, remote, unsent] of text.matchAll(LINE)) {
      const ports = portsOf(Number.parseInt(local!, 16), Number.parseInt(remote!, 16));
      // Peers at several addresses may use the same port: the connection counts as moving while any of them does.
      queues.set(ports, `${queues.get(ports) ?? ''},${unsent}`);
    }
  }
  return queues;
}

export function portsOf(local: number | undefined, remote: number | undefined): string {
  return `${local}-${remote}`;
}
