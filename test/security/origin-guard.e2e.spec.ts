import { jsonOf, send, textGraph } from '@heddle/testing-api';
import type { Answer, JobPage } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../api/expectations.js';
import { ownServer, useServer } from '../api/server.js';
import { surface } from '../api/surface.js';

type Headers = Record<string, string>;

describe.runIf(ownServer && surface.credential === 'static')(
  'the guard against web pages of other origins (decisions, Everywhere)',
  () => {
    const server = useServer({ HEDDLE_WORKERS: '0' });
    const port = (): string => new URL(server.url).port;
    const filled = (headers: Headers): Headers =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', port())]));
    const submit = (headers: Headers): Promise<Answer> =>
      server.client.submit(textGraph(), { headers: filled(headers) });
    const count = async (): Promise<number> => jsonOf<JobPage>(await server.client.jobs('?limit=100')).jobs.length;

    it.each<[string, Headers]>([
      ['an Origin of elsewhere', { origin: 'http://evil.example' }],
      ['an Origin on another port', { origin: 'http://127.0.0.1:1' }],
      ['an opaque Origin', { origin: 'null' }],
      ['an Origin that only begins like ours', { origin: 'http://127.0.0.1:PORT.evil.example' }],
      ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
      ['a Host of elsewhere (DNS rebinding)', { host: 'evil.example:PORT' }],
      ['a Host that only begins with loopback', { host: '127.0.0.1.evil.example:PORT' }],
      ['a Host with user information', { host: 'localhost@evil.example' }],
      ['an address of the network', { host: '192.168.0.7:PORT' }],
    ])('answers 403 forbidden_origin to %s and changes nothing [XC09]', async (_, headers) => {
      const before = await count();
      const answer = await submit(headers);
      if (headers['host'] === '') expect([400, 403]).toContain(answer.status);
      else expectRefusal(answer, 403, 'forbidden_origin');
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect(await count()).toBe(before);
    });

    it.each<[string, Headers]>([
      ['no Origin', {}],
      ['its own origin', { origin: 'http://127.0.0.1:PORT' }],
      ['localhost by that name', { host: 'localhost:PORT', origin: 'http://localhost:PORT' }],
      ['the IPv6 loopback by name', { host: '[::1]:PORT' }],
      ['Sec-Fetch-Site: same-origin', { origin: 'http://127.0.0.1:PORT', 'sec-fetch-site': 'same-origin' }],
      ['Sec-Fetch-Site: none', { 'sec-fetch-site': 'none' }],
    ])('serves %s', async (_, headers) => {
      const given = filled(headers);
      const client = server.client.as({ linkOrigin: `http://${given['host'] ?? new URL(server.url).host}` });
      expect((await client.submit(textGraph(), { headers: given })).status).toBe(201);
    });

    it('guards reads and unknown routes as well: the guard comes first (decisions, Order of checks)', async () => {
      for (const target of [
        '/api/v2/jobs',
        '/api/v2/openapi.json',
        '/api/v2/nope',
        `/api/v2/assets/${'x'.repeat(10)}/content`,
      ]) {
        expectRefusal(await server.client.get(target, { origin: 'http://evil.example' }), 403, 'forbidden_origin');
      }
      for (const method of ['DELETE', 'PUT']) {
        const headers = { 'sec-fetch-site': 'cross-site' };
        expectRefusal(await server.client.request(method, '/api/v2/jobs', { headers }), 403, 'forbidden_origin');
      }
    });

    it('does not grant a preflight, of private networks neither', async () => {
      const headers = {
        origin: 'http://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-private-network': 'true',
      };
      const answer = await send(server.url, { method: 'OPTIONS', target: '/api/v2/jobs', headers });
      expect(answer.status).toBe(403);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    });

    it.each<[string, Headers]>([
      ['another Host', { host: 'evil.example' }],
      ['an Origin', { origin: 'http://evil.example' }],
      ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
    ])('guards the ops port too: it shows nothing to %s', async (_, headers) => {
      for (const target of ['/metrics', '/readyz', '/livez']) {
        const answer = await send(server.process.opsUrl, { method: 'GET', target, headers });
        expect(answer.status).toBe(403);
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
        expect(answer.bytes.toString()).not.toMatch(/heddle_|ready/);
      }
    });
  },
);

describe.runIf(ownServer && surface.credential === 'static')('an allowlist of origins and hosts', () => {
  const server = useServer({
    HEDDLE_WORKERS: '0',
    HEDDLE_CORS_ORIGINS: 'https://app.example',
    HEDDLE_ALLOWED_HOSTS: 'heddle.lan',
  });

  it('lets the listed origin in and names it in the answer, never * (decisions, Web pages of other origins)', async () => {
    const answer = await server.client.submit(textGraph(), { headers: { origin: 'https://app.example' } });
    expect(answer.status).toBe(201);
    expect(answer.headers['access-control-allow-origin']).toBe('https://app.example');
    expect(answer.headers.vary).toMatch(/origin/i);
    expect(answer.headers['access-control-allow-credentials']).not.toBe('true');
  });

  it('answers the preflight of the listed origin, and of no other', async () => {
    const preflight = (origin: string) =>
      send(server.url, {
        method: 'OPTIONS',
        target: '/api/v2/jobs',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,idempotency-key',
        },
      });
    const granted = await preflight('https://app.example');
    expect(granted.status).toBe(204);
    expect(granted.headers['access-control-allow-methods']).toContain('POST');
    expect(granted.headers['access-control-allow-headers']?.toLowerCase()).toContain('idempotency-key');
    expect((await preflight('https://other.example')).status).toBe(403);
  });

  it('serves the listed host by its name', async () => {
    const { port } = new URL(server.url);
    const client = server.client.as({ linkOrigin: `http://heddle.lan:${port}` });
    expect((await client.submit(textGraph(), { headers: { host: `heddle.lan:${port}` } })).status).toBe(201);
    expectRefusal(await client.submit(textGraph(), { headers: { host: 'other.lan' } }), 403, 'forbidden_origin');
  });
});
