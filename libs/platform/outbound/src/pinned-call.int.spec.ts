import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { RequestListener } from 'node:http';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AllowedTargets } from './allowed-targets.js';
import { pinnedCall } from './pinned-call.js';
import type { Network } from './resolve-target.js';
import { TargetRefusedError } from './target-fault.js';
import type { TargetRules } from './target-url.js';

const HOST = 'hooks.example';

describe('a pinned call', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-outbound-'));
  const seen: string[] = [];
  let answer: RequestListener;
  let server: Server;
  let origin: string;
  let network: Network;
  let rules: TargetRules;

  beforeAll(async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
    const made = ['-days', '2', '-nodes', '-newkey', 'rsa:2048', '-keyout', key, '-out', cert];
    execFileSync('openssl', ['req', '-x509', ...subject, ...made], { stdio: 'ignore' });
    server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
      seen.push(`${request.method} ${request.headers.host} ${request.url}`);
      answer(request, response);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    origin = `https://${HOST}:${port}`;
    network = { resolve: () => Promise.resolve(['127.0.0.1']), ca: readFileSync(cert, 'utf8') };
    rules = { schemes: ['https:'], allowed: AllowedTargets.parse([`${HOST}:${port}`])!, ownHosts: [] };
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  const post = (path: string, others: { readonly timeoutMs?: number; readonly network?: Network } = {}) => {
    const call = { url: `${origin}${path}`, method: 'POST', headers: { 'x-a': 'b' }, body: 'héllo' } as const;
    return pinnedCall({ ...call, timeoutMs: 5_000, maxBytes: 100, ...others }, rules, others.network ?? network);
  };

  it('sends headers and body to the host, query and all, without the fragment', async () => {
    answer = (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => response.writeHead(201).end(`${request.headers['x-a']} ${body}`));
    };
    const { status, body } = await post('/a?b=c#d');
    expect([status, body.toString()]).toEqual([201, 'b héllo']);
    expect(seen).toEqual([`POST ${new URL(origin).host} /a?b=c`]);
  });

  it('follows no redirect', async () => {
    answer = (_, response) => response.writeHead(307, { location: `${origin}/elsewhere` }).end();
    seen.length = 0;
    expect((await post('/here')).status).toBe(307);
    expect(seen).toHaveLength(1);
  });

  it('takes a change of the protocol for an answer without a body', async () => {
    answer = (_, response) =>
      void response.socket!.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
    expect(await post('/upgrade')).toMatchObject({ status: 101, body: Buffer.alloc(0) });
  });

  it('reads no more than its limit of a body that does not end', async () => {
    answer = (_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    expect((await post('/long')).body.length).toBe(100);
  });

  it.each([
    ['answers nothing', () => undefined],
    ['answers one byte and then nothing', (_: unknown, response: { write(text: string): void }) => response.write('x')],
  ])('ends at its time limit when the host %s', async (_, listener) => {
    answer = listener as RequestListener;
    const start = Date.now();
    await expect(post('/hang', { timeoutMs: 300 })).rejects.toThrow();
    expect(Date.now() - start).toBeLessThan(3_000);
  });

  it('ends at its time limit when the name is never resolved', async () => {
    const asleep = { ...network, resolve: () => new Promise<never>(() => undefined) };
    await expect(post('/x', { timeoutMs: 100, network: asleep })).rejects.toThrow();
  });

  it('asks for the address once, and goes to what it checked', async () => {
    answer = (_, response) => response.end();
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let asked = 0;
    const changing = { ...network, resolve: () => Promise.resolve(answers[asked++]!) };
    expect((await post('/x', { network: changing })).status).toBe(200);
    expect(asked).toBe(1);
    const strict = { ...rules, allowed: AllowedTargets.NONE };
    const call = { url: `${origin}/x`, method: 'GET', headers: {}, timeoutMs: 5_000, maxBytes: 1 } as const;
    seen.length = 0;
    await expect(pinnedCall(call, strict, network)).rejects.toThrow(TargetRefusedError);
    expect(seen).toEqual([]);
  });

  it('goes to the next address that was checked when one does not answer', async () => {
    answer = (_, response) => response.end();
    const two = { ...network, resolve: () => Promise.resolve(['127.0.0.2', '127.0.0.1']) };
    expect((await post('/x', { network: two })).status).toBe(200);
  });

  it('reaches only a host with a certificate for its name', async () => {
    answer = (_, response) => response.end();
    await expect(post('/x', { network: { resolve: network.resolve } })).rejects.toThrow('self-signed');
    const { port } = new URL(origin);
    const other = { ...rules, allowed: AllowedTargets.parse([`other.example:${port}`])! };
    const call = { url: `https://other.example:${port}/`, method: 'GET', headers: {}, timeoutMs: 5_000 } as const;
    await expect(pinnedCall({ ...call, maxBytes: 1 }, other, network)).rejects.toThrow('other.example');
  });
});
