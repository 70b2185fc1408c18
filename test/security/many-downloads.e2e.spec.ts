import { expectStatus, jsonOf, rawConnection } from '@heddle/testing-api';
import type { Asset, RawConnection } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { ownServer, useServer } from '../api/server.js';
import { watchMemory } from './process-memory.js';

const MIB = 1024 ** 2;
const READERS = 2_000;
/** Memory that is not taken gives no signal: only time shows that it stays low. */
const ABSENCE_MS = 3_000;

describe.runIf(ownServer)('downloads by thousands of slow readers', () => {
  const server = useServer({ HEDDLE_WORKERS: '0', HEDDLE_STALLED_S: '20' });

  it('hold little of the content each', { timeout: 60_000 }, async () => {
    const form = { bytes: Buffer.alloc(16 * MIB, 'x'), content_type: 'text/plain', file_path: 'content.txt' };
    const answer = await server.client.upload(form);
    expectStatus(answer, 200, 201);
    const { id } = jsonOf<Asset>(answer);
    const request = `GET /api/v2/assets/${id}/content HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\n\r\n`;
    const memory = await watchMemory(server.process.pid);
    const readers: RawConnection[] = [];
    for (let n = 0; n < READERS; n += 1) {
      const reader = await rawConnection(server.url);
      reader.socket.pause().write(request);
      readers.push(reader);
    }
    await new Promise((done) => setTimeout(done, ABSENCE_MS));
    // It was 1,070 with the prefetch of a single download for each of them.
    expect(await memory.growth()).toBeLessThan(600);
    for (const reader of readers) reader.destroy();
  });
});
