import { createSocket } from 'node:dgram';
import type { Socket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NameServers } from './name-servers.js';

const TYPE_A = 1;
const HEADER_BYTES = 12;
const never = new AbortController().signal;

/** The address 93.184.215.14 for each question of type A, no address for every other one, and nothing for names with `slow`. */
function answerTo(query: Buffer): Buffer | null {
  if (query.includes('slow')) return null;
  const end = query.indexOf(0, HEADER_BYTES) + 5;
  const question = query.subarray(HEADER_BYTES, end);
  const isA = question.readUInt16BE(question.length - 4) === TYPE_A;
  const header = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]);
  const record = Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 215, 14]);
  return Buffer.concat(isA ? [header, question, record] : [header, question]);
}

describe('name servers', () => {
  let server: Socket;
  let names: NameServers;
  let asked = 0;
  beforeAll(async () => {
    server = createSocket('udp4');
    server.on('message', (query, { port, address }) => {
      asked += 1;
      const answer = answerTo(query);
      if (answer !== null) server.send(answer, port, address);
    });
    await new Promise<void>((done) => server.bind(0, '127.0.0.1', done));
    names = new NameServers([`127.0.0.1:${(server.address() as AddressInfo).port}`]);
  });
  afterAll(() => server.close());
  const resolve = (host: string, signal = never) => names.resolve(host, { isExempt: false, signal });

  it('give the addresses of a name', async () => {
    expect(await resolve('hooks.example.com')).toEqual(['93.184.215.14']);
  });

  it('that answer nothing have no address for it, within seconds', async () => {
    const begun = performance.now();
    expect(await resolve('slow.example.com')).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(8_000);
  }, 15_000);

  it('that are slow hold up no other name and no file', async () => {
    const stop = new AbortController();
    const slow = Array.from({ length: 100 }, (_, n) => resolve(`slow-${n}.example.com`, stop.signal));
    const begun = performance.now();
    expect(await resolve('quick.example.com')).toEqual(['93.184.215.14']);
    await readFile(fileURLToPath(import.meta.url));
    expect(performance.now() - begun).toBeLessThan(1_000);
    stop.abort();
    expect(new Set((await Promise.all(slow)).map(({ length }) => length))).toEqual(new Set([0]));
  });

  it('are not asked for a host that the operator named, which the hosts file may have', async () => {
    const before = asked;
    const found = await names.resolve('localhost', { isExempt: true, signal: never });
    expect(found.some((address) => address === '127.0.0.1' || address === '::1')).toBe(true);
    expect(asked).toBe(before);
  });
});
