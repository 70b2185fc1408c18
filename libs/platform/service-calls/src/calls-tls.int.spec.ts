import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { ByteRoute } from './bytes/byte-route.js';
import { RenewableTls } from './call-tls.js';
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
    const { url } = await fixture.port(BYTES, { tls: new RenewableTls(SERVER) });
    for (const target of [url, url.replace('127.0.0.1', 'localhost')]) {
      expect(await fixture.channel([target], { tls: new RenewableTls(CLIENT) }).probe(5_000)).toBeNull();
      const { body } = await fixture
        .bytesClient([target], { tls: new RenewableTls(CLIENT) })
        .download({ path: '/v1/read', head: null });
      expect((await buffer(body)).toString()).toBe('bytes');
    }
  });

  it.each([
    ['localhost', true],
    ['jobs.internal', false],
  ])('takes a service that is called by address for %s: %s', async (name, taken) => {
    const { url } = await fixture.port(BYTES, { tls: new RenewableTls(SERVER) });
    const tls = new RenewableTls({ ...CLIENT, name });
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
  ])('serves nobody who %s', async (_, pems) => {
    const tls = new RenewableTls(pems);
    const { url } = await fixture.port(BYTES, { tls: new RenewableTls(SERVER) });
    expect(await fixture.channel([url], { tls }).probe(2_000)).toMatch(/did not answer/);
    const reading = fixture.bytesClient([url], { tls }).download({ path: '/v1/read', head: null, deadlineMs: 2_000 });
    await expect(reading).rejects.toMatchObject({ name: 'ServiceAwayError' });
  });

  it('serves nobody without encryption', async () => {
    const { url } = await fixture.port(BYTES, { tls: new RenewableTls(SERVER) });
    const plain = url.replace('https:', 'http:');
    expect(await fixture.channel([plain]).probe(2_000)).toMatch(/did not answer/);
    const reading = fixture.bytesClient([plain]).download({ path: '/v1/read', head: null, deadlineMs: 2_000 });
    await expect(reading).rejects.toMatchObject({ name: 'ServiceAwayError' });
  });

  it('shows a renewed certificate to new connections, and keeps the others', async () => {
    const tls = new RenewableTls(SERVER);
    const port = await fixture.port(BYTES, { tls });
    const channel = fixture.channel([port.url], { tls: new RenewableTls(CLIENT) });
    expect(await channel.probe(5_000)).toBeNull();
    expect(await certificateAt(port.url)).toBe(inPem(SERVER.cert));
    tls.renew({ ...CLIENT });
    expect(await certificateAt(port.url)).toBe(inPem(CLIENT.cert));
    expect(await channel.probe(5_000)).toBeNull();
  });

  it('keeps the certificate where the new one does not fit to its key', async () => {
    const tls = new RenewableTls(SERVER);
    const { url } = await fixture.port(BYTES, { tls });
    expect(() => tls.renew({ ...SERVER, key: CLIENT.key })).toThrow(/key values mismatch/);
    expect(await certificateAt(url)).toBe(inPem(SERVER.cert));
  });

  it('is shown the renewed certificate of a caller by its new connections, and by a renewed authority', async () => {
    const shown: string[] = [];
    const options = { ...SERVER, requestCert: true, rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] };
    const server = createServer(options, (socket) => {
      shown.push(socket.getPeerCertificate().raw.toString('base64'));
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    try {
      // Nobody's authority: the service is not believed.
      const tls = new RenewableTls({ ...SERVER, ca: CLIENT.cert });
      const channel = fixture.channel([url], { tls });
      const bytes = fixture.bytesClient([url], { tls });
      const reach = async (): Promise<void> => {
        await channel.probe(500);
        await bytes.download({ path: '/v1/read', head: null, deadlineMs: 500 }).catch(() => undefined);
      };
      await reach();
      tls.renew(SERVER);
      await reach();
      expect(new Set(shown)).toEqual(new Set([inPem(SERVER.cert)]));
      tls.renew(CLIENT);
      // A connection that was being opened meanwhile still shows the certificate from before.
      await expect.poll(() => reach().then(() => shown.at(-1))).toBe(inPem(CLIENT.cert));
      const before = shown.length;
      await reach();
      expect(new Set(shown.slice(before))).toEqual(new Set([inPem(CLIENT.cert)]));
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
