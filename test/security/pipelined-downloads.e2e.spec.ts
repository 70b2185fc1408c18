import { readdirSync, readlinkSync } from 'node:fs';
import { expectStatus, jsonOf, rawAnswers, rawConnection } from '@heddle/testing-api';
import type { Asset } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { ownServer, useServer } from '../api/server.js';
import { watchMemory } from './process-memory.js';

const MIB = 1024 ** 2;
const CONNECTIONS = 5;
/** The limit on unanswered requests of a connection */
const REQUESTS = 100;

describe.runIf(ownServer)('downloads that are asked for one behind the other (finding S8)', () => {
  const server = useServer({ HEDDLE_WORKERS: '0', HEDDLE_STALLED_S: '2' });
  /** Number of open files in the data folder. */
  const files = (): number => {
    const folder = `/proc/${server.process.pid}/fd`;
    return readdirSync(folder).filter((fd) => linkOf(`${folder}/${fd}`).startsWith(server.process.dataDir)).length;
  };
  const uploaded = async (bytes: number): Promise<string> => {
    const form = { bytes: Buffer.alloc(bytes, 'x'), content_type: 'text/plain', file_path: 'content.txt' };
    const answer = await server.client.upload(form);
    expectStatus(answer, 200, 201);
    return jsonOf<Asset>(answer).id;
  };
  const request = (id: string): string =>
    `GET /api/v2/assets/${id}/content HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\n\r\n`;

  it('are opened one at a time where nobody reads', { timeout: 60_000 }, async () => {
    const id = await uploaded(48 * MIB);
    // A warm-up, because a process keeps the memory of its first downloads.
    const [first, small] = [await rawConnection(server.url), await uploaded(1)];
    first.write(request(small).repeat(REQUESTS - 1) + request('none'));
    await first.read((came) => came.slice(-1_000).includes('not_found'));
    first.destroy();
    const before = files();
    const memory = await watchMemory(server.process.pid);
    let most = before;
    const look = setInterval(() => (most = Math.max(most, files())), 20);
    const readers = await Promise.all(Array.from({ length: CONNECTIONS }, () => rawConnection(server.url)));
    for (const { socket } of readers) socket.pause().write(request(id).repeat(REQUESTS));
    await expect.poll(files).toBeGreaterThanOrEqual(before + CONNECTIONS);
    // In the end, all connections are closed and no file stays open.
    await expect.poll(files, { timeout: 30_000 }).toBe(before);
    clearInterval(look);
    for (const reader of readers) reader.destroy();
    expect(most - before).toBeLessThanOrEqual(CONNECTIONS + 3);
    expect(await memory.growth()).toBeLessThan(64);
  });

  it('are all answered where they are read', async () => {
    const length = 100_000;
    const id = await uploaded(length);
    const before = files();
    const reader = await rawConnection(server.url);
    reader.write(request(id).repeat(20));
    const text = await reader.read(
      (came) => came.length > 20 * length && rawAnswers(came).at(19)?.body.length === length,
    );
    expect(rawAnswers(text).map(({ status, body }) => [status, body.length])).toEqual(
      Array.from({ length: 20 }, () => [200, length]),
    );
    reader.destroy();
    await expect.poll(files).toBe(before);
  });
});

/** Target of the link; empty if the file was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
