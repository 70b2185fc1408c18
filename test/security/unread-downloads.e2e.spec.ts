import { readdirSync, readlinkSync } from 'node:fs';
import { expectStatus, jsonOf, rawConnection } from '@heddle/testing-api';
import type { Asset, RawConnection } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { ownServer, useServer } from '../api/server.js';

const STALLED_S = 2;
const BYTES = 48 * 1024 ** 2;
const READERS = 20;
/** Larger than the amount that the reader's system buffers before it reports free space to the sender. */
const PART_BYTES = 512 * 1024;

describe.runIf(ownServer)('downloads that nobody reads (finding S8)', () => {
  const server = useServer({ HEDDLE_WORKERS: '0', HEDDLE_STALLED_S: String(STALLED_S) });
  /** Number of open files in the data folder. */
  const files = (): number => {
    const folder = `/proc/${server.process.pid}/fd`;
    return readdirSync(folder).filter((fd) => linkOf(`${folder}/${fd}`).startsWith(server.process.dataDir)).length;
  };
  const metrics = async (): Promise<string> => (await fetch(`${server.opsUrl}/metrics`)).text();
  const connections = async (): Promise<number> =>
    Number(/heddle_connections_open\{port="api"\} (\d+)/.exec(await metrics())?.[1]);
  const uploaded = async (): Promise<string> => {
    const form = { bytes: Buffer.alloc(BYTES, 'x'), content_type: 'text/plain', file_path: 'large.txt' };
    const answer = await server.client.upload(form);
    expectStatus(answer, 200, 201);
    return jsonOf<Asset>(answer).id;
  };
  const download = async (id: string): Promise<RawConnection> => {
    const connection = await rawConnection(server.url);
    connection.socket.pause();
    connection.write(`GET /api/v2/assets/${id}/content HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\n\r\n`);
    return connection;
  };

  it('are cut, and their sockets and files freed, even if the client goes on to send', async () => {
    const id = await uploaded();
    const before = files();
    const readers = await Promise.all(Array.from({ length: READERS }, () => download(id)));
    await expect.poll(files).toBeGreaterThanOrEqual(before + READERS);
    const host = new URL(server.url).host;
    const chatter = setInterval(() => {
      for (const reader of readers) reader.write(`GET /nope HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    }, 200);
    await expect.poll(files).toBe(before);
    await expect.poll(connections).toBeLessThan(READERS / 2);
    clearInterval(chatter);
    for (const reader of readers) reader.destroy();
    expect(await metrics()).toContain(`heddle_network_refusals_total{port="api",reason="stalled"} ${READERS}\n`);
  });

  it('are not cut where they are read slowly', async () => {
    const reader = await download(await uploaded());
    let came = 0;
    reader.socket.on('data', (text: string) => (came += text.length));
    const until = performance.now() + 4_000 * STALLED_S;
    for (let read = PART_BYTES; performance.now() < until; read += PART_BYTES) {
      reader.socket.resume();
      while (came < read) await new Promise((done) => reader.socket.once('data', done));
      reader.socket.pause();
      // The pace of the reader.
      await new Promise((done) => setTimeout(done, 300 * STALLED_S));
    }
    reader.socket.resume();
    await expect.poll(() => came).toBeGreaterThan(BYTES);
    reader.destroy();
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
