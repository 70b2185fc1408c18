import { afterEach, describe, expect, it } from 'vitest';
import { hostileServer, sendJson } from '../hostile-server.fixture.js';
import type { HostileServer } from '../hostile-server.fixture.js';
import { ApiClient } from './api-client.js';

const open: { close(): Promise<void> }[] = [];

async function connected(answer: Parameters<typeof hostileServer>[0], token: string | null = null) {
  const service: HostileServer = await hostileServer(answer);
  const client = new ApiClient(service.url, token);
  open.push(client, service);
  return { service, client };
}

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

describe('the API client', () => {
  it('sends the token to the service that the user named', async () => {
    const { service, client } = await connected((_, response) => sendJson(response, 200, {}), 'secret');
    await client.json('GET', '/api/v2/jobs');
    expect(service.seen[0]?.headers.authorization).toBe('Bearer secret');
  });

  it('asks no other origin, whatever a link says', async () => {
    const other = await hostileServer((_, response) => sendJson(response, 200, {}));
    const { service, client } = await connected((_, response) => sendJson(response, 200, {}), 'secret');
    open.push(other);
    for (const link of [`${other.url}/api/v2/jobs/1?x=1`, `//${new URL(other.url).host}/api/v2/jobs/1?x=1`])
      await client.json('GET', link);
    expect(other.seen).toEqual([]);
    expect(service.seen.map(({ url }) => url)).toEqual(['/api/v2/jobs/1?x=1', '/api/v2/jobs/1?x=1']);
  });

  it('follows no redirect, and names its status and --url', async () => {
    const other = await hostileServer((_, response) => sendJson(response, 200, {}));
    open.push(other);
    const { client } = await connected(
      (_, response) => response.writeHead(302, { location: other.url }).end(),
      'secret',
    );
    await expect(client.json('GET', '/api/v2/jobs')).rejects.toMatchObject({
      exitCode: 1,
      message: 'the service redirects (302); check --url',
    });
    expect(other.seen).toEqual([]);
  });

  it('names the host of signed content that it cannot reach', async () => {
    const { service, client } = await connected((_, response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:1/bucket/key?signed' }).end(),
    );
    await expect(client.stream('/api/v2/assets/1/content')).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(
        `^http://127.0.0.1:1, where ${service.url} keeps content, cannot be reached: `,
      ) as string,
    });
  });

  it('keeps the path under which a service is mounted', () => {
    const client = new ApiClient('http://127.0.0.1:1/heddle/', null);
    open.push(client);
    expect(client.resolve('/api/v2/jobs')).toBe('http://127.0.0.1:1/heddle/api/v2/jobs');
    expect(client.resolve('http://127.0.0.1:1/heddle/api/v2/jobs')).toBe('http://127.0.0.1:1/heddle/api/v2/jobs');
  });

  it('names the URL that does not answer as Heddle does, and what to check', async () => {
    const { service, client } = await connected((_, response) => response.writeHead(405).end('no'));
    await expect(client.json('POST', '/api/v2/jobs')).rejects.toMatchObject({
      message: `http_405: ${service.url} does not answer as Heddle does`,
      nextStep: 'check --url or HEDDLE_URL',
    });
  });

  it('is elsewhere where a 404 has no words of Heddle, as on its health port', async () => {
    const { service, client } = await connected((_, response) => response.writeHead(404).end());
    const message = `${service.url} does not answer as Heddle does`;
    await expect(client.json('GET', '/api/v2/jobs')).rejects.toMatchObject({
      message,
      exitCode: 3,
      nextStep: 'check --url or HEDDLE_URL',
      error: { code: 'unreachable', message },
    });
  });

  it('reads the error envelope, its details and Retry-After', async () => {
    const error = { code: 'queue_full', message: 'full', details: { depth: 100 } };
    const { client } = await connected((_, response) => sendJson(response, 429, { error }, { 'retry-after': '3' }));
    await expect(client.json('POST', '/api/v2/jobs')).rejects.toMatchObject({
      status: 429,
      code: 'queue_full',
      retryAfterSeconds: 3,
      details: { depth: 100 },
      exitCode: 1,
    });
  });

  it.each([
    ['HTML', '<html>'],
    ['nothing', ''],
    ['another JSON', '[1]'],
    ['an envelope of the wrong form', '{"error":"no"}'],
  ])('takes an error that is %s for what it is', async (_, body) => {
    const { client } = await connected((__, response) => response.writeHead(502).end(body));
    await expect(client.json('GET', '/')).rejects.toMatchObject({ code: 'http_502', exitCode: 1 });
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [429, 'rate_limited'],
    [405, 'http_405'],
  ])('names the cause of a refusal without a body, which HEAD gets: %i', async (status, code) => {
    const { client } = await connected((_, response) => response.writeHead(status).end());
    await expect(client.json('HEAD', '/')).rejects.toMatchObject({ code, status, exitCode: 1 });
  });

  it('finds a name below localhost on this machine, which not every resolver knows', async () => {
    const { service } = await connected((_, response) => sendJson(response, 200, { here: true }));
    const client = new ApiClient(service.url.replace('127.0.0.1', 'alpha.run.localhost'), null);
    open.push(client);
    expect((await client.json('GET', '/')).body).toEqual({ here: true });
    expect(service.seen[0]?.headers.host).toMatch(/^alpha\.run\.localhost:/);
  });

  it('reads no more than an answer can be', async () => {
    const piece = Buffer.alloc(1024 * 1024, 0x20);
    const { client } = await connected((_, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (response.write(piece));
        response.once('drain', more);
      };
      more();
    });
    await expect(client.json('GET', '/')).rejects.toThrow('larger than any answer');
  });

  it('distinguishes a connection that was cut from a refusal: exit code 3', async () => {
    const { client } = await connected((_, response) => response.socket?.destroy());
    await expect(client.json('GET', '/')).rejects.toMatchObject({ exitCode: 3 });
  });

  it('says of https to a service without it what to write instead: exit code 3', async () => {
    const { client } = await connected((_, response) => response.end('{}'));
    const secure = new ApiClient(client.origin.replace('http:', 'https:'), null);
    try {
      await expect(secure.json('GET', '/')).rejects.toMatchObject({
        exitCode: 3,
        message: `${secure.origin} does not speak https`,
        nextStep: `try --url ${client.origin}`,
      });
    } finally {
      await secure.close();
    }
  });

  it('refuses a token that cannot be one, and a URL that is none', () => {
    expect(() => new ApiClient('http://127.0.0.1:1', 'two words')).toThrow('token');
    expect(() => new ApiClient('ftp://127.0.0.1', null)).toThrow('http');
  });
});
