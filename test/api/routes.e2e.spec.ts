import { expectStatus, textGraph } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal, sameBody } from './expectations.js';
import { unknownId, useServer } from './server.js';

describe('routes and methods', () => {
  const server = useServer();

  it.each([
    '/api',
    '/api/v2',
    '/api/v2/',
    '/api/v2/nope',
    '/api/v2/assets/',
    '/api/v2/jobs/',
    '/api/v1/jobs',
    '/api/v2/jobs/x/y/z',
    '//api/v2/jobs',
    '/api/v2/Jobs',
    '/api/v2/assets/x/content/y',
    '/favicon.ico',
  ])(
    'answers 404 not_found in the envelope to GET %s (decisions, Error codes) [AU11]',
    async (target) => void expectRefusal(await server.client.get(target), 404, 'not_found'),
  );

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])(
    'answers 404 to %s of an unknown route, whatever its body is',
    async (method) => {
      expectRefusal(await server.client.request(method, '/api/v2/nope', { body: '{' }), 404, 'not_found');
    },
  );

  const id = unknownId();
  it.each([
    ['GET', '/api/v2/assets', 'POST'],
    ['PUT', '/api/v2/assets', 'POST'],
    ['GET', '/api/v2/assets/from-hash/', ''],
    ['PUT', '/api/v2/assets/from-hash', 'POST'],
    ['POST', `/api/v2/assets/${id}`, 'GET'],
    ['PATCH', `/api/v2/assets/${id}`, 'DELETE'],
    ['POST', `/api/v2/assets/${id}/content`, 'GET'],
    ['DELETE', '/api/v2/jobs', 'POST'],
    ['PUT', '/api/v2/jobs', 'GET'],
    ['DELETE', `/api/v2/jobs/${id}`, 'GET'],
    ['GET', `/api/v2/jobs/${id}/cancel`, 'POST'],
    ['POST', `/api/v2/jobs/${id}/workflow`, 'GET'],
    ['POST', `/api/v2/jobs/${id}/events`, 'GET'],
    ['POST', '/api/v2/openapi.json', 'GET'],
    ['TRACE', '/api/v2/jobs', 'GET'],
    ['PROPFIND', '/api/v2/jobs', 'GET'],
  ])(
    'answers 405 with Allow to %s %s, or 404 where there is no such route (decisions, 405) [XC08]',
    async (method, target, allowed) => {
      const answer = await server.client.request(method, target);
      if (allowed === '') return void expectRefusal(answer, 404, 'not_found');
      expectRefusal(answer, 405, 'method_not_allowed');
      expect(answer.headers.allow?.split(', ')).toContain(allowed);
      if (allowed === 'GET') expect(answer.headers.allow?.split(', ')).toContain('HEAD');
    },
  );

  it('answers HEAD wherever GET does, without a body, and does not hang on a stream (decisions, 405, HEAD)', async () => {
    const job = await server.client.submitted(textGraph());
    for (const route of ['', '/workflow', '/events']) {
      const head = await server.client.request('HEAD', `/api/v2/jobs/${job.id}${route}`);
      expect([route, head.status, head.bytes.length]).toEqual([route, 200, 0]);
      expect((await server.client.request('HEAD', `/api/v2/jobs/${unknownId()}${route}`)).status).toBe(404);
    }
    for (const target of ['/api/v2/jobs', '/api/v2/openapi.json']) {
      expect((await server.client.request('HEAD', target)).status).toBe(200);
    }
  });

  it('has no side effect under a method that is not offered [XC08]', async () => {
    const job = await server.client.submitted(textGraph());
    const asset = await server.client.uploaded();
    await server.client.request('DELETE', `/api/v2/jobs/${job.id}`);
    await server.client.request('PUT', `/api/v2/assets/${asset.id}`);
    expectStatus(await server.client.job(job.id), 200);
    expectStatus(await server.client.asset(asset.id), 200);
  });

  it('answers OPTIONS without opening anything to other origins (decisions, Web pages of other origins) [XC08]', async () => {
    const answer = await server.client.request('OPTIONS', '/api/v2/jobs');
    expect([204, 405]).toContain(answer.status);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('answers 404 by the same bytes for every id that is not there, of jobs and of assets (Errors, Other rules 1)', async () => {
    sameBody(await server.client.job(unknownId()), await server.client.job(unknownId()));
    sameBody(await server.client.asset(unknownId()), await server.client.asset(unknownId()));
  });

  it('gives each answer a request id of its own, and takes none from a client that could forge a line of the log', async () => {
    const ids = new Set<string>();
    for (let i = 0; i < 5; i += 1) ids.add(String((await server.client.job(unknownId())).headers['x-request-id']));
    expect(ids.size).toBe(5);
    const forged = await server.client.get(`/api/v2/jobs/${unknownId()}`, { 'x-request-id': '"}{"level":"error' });
    expect(forged.headers['x-request-id']).not.toContain('{');
  });
});
