import { jsonOf, send } from '@heddle/testing-api';
import type { Answer } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from './expectations.js';
import { ownServer, useServer } from './server.js';
import { surface } from './surface.js';

interface Page {
  readonly name: string;
  readonly version: string;
  readonly links: { readonly api: string; readonly openapi: string; readonly health: string | null };
}

describe.runIf(surface.name === 'self-hosted')('the page at the origin of the API', () => {
  const server = useServer();
  // Not through the suite's client, which checks answers against the API document: the page is not part of v2.
  const ask = (method: string, headers: Record<string, string> = {}): Promise<Answer> =>
    send(server.url, { method, target: '/', headers });

  it('names the service, its version and links that lead on', async () => {
    const answer = await ask('GET');
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const { name, version, links } = jsonOf<Page>(answer);
    expect([name, version]).toEqual(['heddle', expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
    expect(links.openapi).toBe(`${server.url}/api/v2/openapi.json`);
    expect((await fetch(links.openapi)).status).toBe(200);
    if (ownServer) expect((await fetch(links.health ?? '')).status).toBe(200);
  });

  it('is HTML for a browser, which runs nothing of it', async () => {
    const answer = await ask('GET', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.bytes.toString()).toContain('<h1>Heddle ');
  });

  it('is guarded, and has no other method', async () => {
    const foreign: Record<string, string>[] = [{ origin: 'http://evil.example' }, { host: 'evil.example' }];
    for (const headers of foreign) expectRefusal(await ask('GET', headers), 403, 'forbidden_origin');
    const head = await ask('HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    const answer = await ask('POST');
    expectRefusal(answer, 405, 'method_not_allowed');
    expect(answer.headers.allow).toBe('GET, HEAD');
  });
});

describe.runIf(surface.name !== 'self-hosted')('the origin of the API', () => {
  const server = useServer();

  it('is an unknown route', async () => void expectRefusal(await server.client.get('/'), 404, 'not_found'));
});
