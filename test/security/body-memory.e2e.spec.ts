import { freshBytes, rawConnection, textGraph } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { ownServer, useServer } from '../api/server.js';
import { expectNothingLeft, state } from './nothing-left.js';
import { watchMemory } from './process-memory.js';

const MIB = 1024 ** 2;
const BUDGET_MIB = 64;
const SETTINGS = { HEDDLE_WORKERS: '0', HEDDLE_BODY_BUDGET_BYTES: String(BUDGET_MIB * MIB) };
const CONNECTIONS = 200;
const BODY_BYTES = 9.9 * MIB;
/** Ten million chunks of one byte, or as many as the server accepts. */
const CHUNKS = 10_000_000;
const CHUNKS_AT_ONCE = 100_000;

describe.runIf(ownServer)('bodies that are there to fill a process (reliability 4.2)', () => {
  const server = useServer(SETTINGS);
  const head = (framing: string): string =>
    `POST /api/v2/jobs HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\n${framing}\r\n\r\n`;
  const statusOf = (said: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1]);

  it('of ten million chunks of one byte take no memory, and are refused', { timeout: 120_000 }, async () => {
    const before = await state(server);
    const memory = await watchMemory(server.process.pid);
    const connection = await rawConnection(server.url);
    connection.write(head('Transfer-Encoding: chunked'));
    const chunks = '1\r\n \r\n'.repeat(CHUNKS_AT_ONCE);
    const answered = connection.read((said) => said.includes('"code"'), 60_000);
    let isOver = false;
    void answered.finally(() => (isOver = true));
    for (let sent = 0; sent < CHUNKS && !isOver; sent += CHUNKS_AT_ONCE) {
      connection.write(chunks);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(statusOf(await answered)).toBe(400);
    connection.destroy();
    expect(await memory.growth()).toBeLessThan(32);
    await expectNothingLeft(server, before);
  });

  it('of ten million chunks of one byte take no memory as an upload either', { timeout: 120_000 }, async () => {
    // A warm-up, because a process keeps the memory of its first upload.
    await server.client.upload({ bytes: freshBytes(32 * MIB), content_type: 'text/plain', file_path: 'first.txt' });
    const before = await state(server);
    const memory = await watchMemory(server.process.pid);
    const connection = await rawConnection(server.url);
    const upload = head('Transfer-Encoding: chunked\r\nContent-Type: multipart/form-data; boundary=x');
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';
    connection.write(upload.replace('/jobs', '/assets') + `${part.length.toString(16)}\r\n${part}\r\n`);
    const answered = connection.read((said) => said.includes('"code"'), 60_000);
    let isOver = false;
    void connection.closed.then(() => (isOver = true));
    for (let sent = 0; sent < CHUNKS && !isOver; sent += CHUNKS_AT_ONCE) {
      const took = connection.socket.write('1\r\n \r\n'.repeat(CHUNKS_AT_ONCE));
      if (!took) await Promise.race([new Promise((done) => connection.socket.once('drain', done)), connection.closed]);
    }
    expect(statusOf(await answered)).toBe(400);
    connection.destroy();
    expect(await memory.growth()).toBeLessThan(32);
    await expectNothingLeft(server, before);
  });

  it('of ten megabytes on many connections take the budget and little more', { timeout: 120_000 }, async () => {
    const before = await state(server);
    const memory = await watchMemory(server.process.pid);
    const body = Buffer.alloc(BODY_BYTES, ' ');
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => rawConnection(server.url)));
    const answers = connections.map(async (connection) => {
      connection.write(head(`Content-Length: ${body.length + 1}`));
      // The last byte is not sent, so that an accepted body stays open.
      connection.write(body);
      return statusOf(await connection.read((said) => said.includes('"code"'), 10_000).catch(() => ''));
    });
    const statuses = await Promise.all(answers);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(CONNECTIONS / 2);
    expect(new Set(statuses.filter((status) => !Number.isNaN(status)))).toEqual(new Set([429]));
    for (const connection of connections) connection.destroy();
    expect(await memory.growth()).toBeLessThan(BUDGET_MIB + 64);
    await expectNothingLeft(server, before);
    // The budget is released: sequential bodies add up to more than the budget.
    for (let sent = 0; sent < BUDGET_MIB * MIB; sent += BODY_BYTES) {
      const body = JSON.stringify({ workflow: textGraph() }).padEnd(BODY_BYTES);
      await expect.poll(async () => (await server.client.submitRaw(body)).status).toBe(201);
    }
  });

  it('of the registry, for which nobody needs a key, leave room for submissions', { timeout: 60_000 }, async () => {
    // A quarter of the budget, and a few more. The last byte is not sent.
    const connections = await Promise.all(Array.from({ length: BUDGET_MIB / 4 + 4 }, () => rawConnection(server.url)));
    const refused = connections.map(async (connection) => {
      connection.write(head(`Content-Length: ${MIB}`).replace('/api/v2/jobs', '/registry/bulk/nodes/versions'));
      connection.write(Buffer.alloc(MIB - 1, ' '));
      return statusOf(await connection.read((said) => said.includes('"error"'), 5_000).catch(() => ''));
    });
    expect((await Promise.all(refused)).filter((status) => status === 429)).toHaveLength(4);
    const body = JSON.stringify({ workflow: textGraph() }).padEnd(BODY_BYTES);
    expect((await server.client.submitRaw(body)).status).toBe(201);
    for (const connection of connections) connection.destroy();
  });
});
