import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { ByteRoute } from './bytes/byte-route.js';
import { CallFixture } from './calls.fixture.js';

const pem = (name: string): string => readFileSync(new URL(`../test-certificates/${name}`, import.meta.url), 'utf8');
const SERVER = { key: pem('server.key'), cert: pem('server.crt'), ca: pem('ca.crt') };
const CLIENT = { key: pem('client.key'), cert: pem('client.crt'), ca: pem('ca.crt') };
const BYTES: ByteRoute[] = [
  {
    kind: 'download',
    path: '/v1/read',
    openTo: ['gateway'],
    handle: () => Promise.resolve({ head: null, body: Readable.from([Buffer.from('bytes')]) }),
  },
];

describe('the port of calls over TLS', () => {
  const fixture = new CallFixture();
  afterEach(() => fixture.close());

  async function certificateAt(url: string): Promise<string> {
    const socket = connect({
      ...CLIENT,
      port: Number(new URL(url).port),
      host: '127.0.0.1',
      checkServerIdentity: () => undefined,
    });
    await once(socket, 'secureConnect');
    const { raw } = socket.getPeerCertificate();
    socket.destroy();
    return raw.toString('base64');
  }
  const inPem = (text: string): string => text.replace(/-----[^-]+-----|\s/g, '');

  it('serves gRPC and bytes to whoever shows a certificate', async () => {
    const { url } = await fixture.port(BYTES, { tls: SERVER });
    for (const target of [url, url.replace('127.0.0.1', 'localhost')]) {
      expect(await fixture.channel([target], { tls: CLIENT }).probe(5_000)).toBeNull();
      const { body } = await fixture.bytesClient([target], { tls: CLIENT }).download({ path: '/v1/read', head: null });
      expect((await buffer(body)).toString()).toBe('bytes');
    }
  });

  it.each([
    ['localhost', true],
    ['jobs.internal', false],
  ])('takes a service that is called by address for %s: %s', async (name, taken) => {
    const { url } = await fixture.port(BYTES, { tls: SERVER });
    const tls = { ...CLIENT, name };
    expect((await fixture.channel([url], { tls }).probe(2_000)) === null).toBe(taken);
    const download = (target: string): Promise<boolean> =>
      fixture
        .bytesClient([target], { tls })
        .download({ path: '/v1/read', head: null, deadlineMs: 2_000 })
        .then(
          async ({ body }) => (await buffer(body)).toString() === 'bytes',
          () => false,
        );
    expect(await download(url)).toBe(taken);
    expect(await download(url.replace('127.0.0.1', 'localhost'))).toBe(true);
  });

  it.each([
    ['shows none', { ca: CLIENT.ca }],
    ['does not know who signed', { key: CLIENT.key, cert: CLIENT.cert }],
  ])('serves nobody who %s', async (_, tls) => {
    const { url } = await fixture.port(BYTES, { tls: SERVER });
    expect(await fixture.channel([url], { tls }).probe(2_000)).toMatch(/did not answer/);
    const reading = fixture.bytesClient([url], { tls }).download({ path: '/v1/read', head: null, deadlineMs: 2_000 });
    await expect(reading).rejects.toMatchObject({ name: 'ServiceAwayError' });
  });

  it('serves nobody without encryption', async () => {
    const { url } = await fixture.port(BYTES, { tls: SERVER });
    const plain = url.replace('https:', 'http:');
    expect(await fixture.channel([plain]).probe(2_000)).toMatch(/did not answer/);
    const reading = fixture.bytesClient([plain]).download({ path: '/v1/read', head: null, deadlineMs: 2_000 });
    await expect(reading).rejects.toMatchObject({ name: 'ServiceAwayError' });
  });

  it('shows a renewed certificate to new connections, and keeps the others', async () => {
    const port = await fixture.port(BYTES, { tls: SERVER });
    const channel = fixture.channel([port.url], { tls: CLIENT });
    expect(await channel.probe(5_000)).toBeNull();
    expect(await certificateAt(port.url)).toBe(inPem(SERVER.cert));
    port.renewTls({ ...CLIENT });
    expect(await certificateAt(port.url)).toBe(inPem(CLIENT.cert));
    expect(await channel.probe(5_000)).toBeNull();
  });
});
