import { networkInterfaces } from 'node:os';
import { connect } from 'node:net';
import { eventually, expectStatus, textGraph, textOf } from '@heddle/testing-api';
import type { HeddleClient } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from './expectations.js';
import { ownServer, unknownId, useServer } from './server.js';
import { surface } from './surface.js';

const TOKEN = 'static-token-for-tests-0123456789';
const ROUTES = [
  ['POST', '/api/v2/assets'],
  ['POST', '/api/v2/assets/from-hash'],
  ['HEAD', `/api/v2/assets/by-hash/blake3:${'0'.repeat(64)}`],
  ['GET', `/api/v2/assets/${unknownId()}`],
  ['DELETE', `/api/v2/assets/${unknownId()}`],
  ['GET', `/api/v2/assets/${unknownId()}/content`],
  ['POST', '/api/v2/jobs'],
  ['GET', '/api/v2/jobs'],
  ['GET', `/api/v2/jobs/${unknownId()}`],
  ['POST', `/api/v2/jobs/${unknownId()}/cancel`],
  ['GET', `/api/v2/jobs/${unknownId()}/workflow`],
  ['GET', `/api/v2/jobs/${unknownId()}/events`],
] as const;

describe.runIf(surface.credential === 'static' && ownServer)('self-hosted without a token', () => {
  const server = useServer();

  it('asks for no credential (Authentication 2) [AU06]', async () => {
    await server.client.uploaded();
    await server.client.submitted(textGraph());
  });

  it('takes a credential that it does not need', async () => {
    expectStatus(await server.client.as({ token: 'whatever' }).jobs(), 200);
  });

  it('listens on loopback only (Surfaces) [AU09]', async () => {
    const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const addresses = others
      .filter((address) => !address.internal && address.family === 'IPv4')
      .map((address) => address.address);
    for (const host of addresses) {
      for (const port of [new URL(server.url).port, new URL(server.opsUrl).port]) {
        expect(await reachable(host, Number(port)), `${host}:${port}`).toBe(false);
      }
    }
    expect(await reachable('127.0.0.1', Number(new URL(server.url).port))).toBe(true);
  });

  it('refuses to listen elsewhere without a token (decisions, Commands and settings: HEDDLE_HOST)', async () => {
    await expect(startStandalone({ env: { HEDDLE_HOST: '0.0.0.0' } })).rejects.toThrow(/token/i);
  });
});

describe.runIf(surface.credential === 'static' && ownServer)('self-hosted with a static token', () => {
  const server = useServer({ HEDDLE_STATIC_TOKEN: TOKEN, HEDDLE_LOG_LEVEL: 'debug' }, { gatewayBefore: 'plain' });
  const as = (token?: string): HeddleClient => server.client.as(token === undefined ? {} : { token });

  it('answers 200 to the token and 401 to none, to a longer or a shorter one (Authentication 2) [AU07]', async () => {
    expectStatus(await as(TOKEN).jobs(), 200);
    for (const token of [undefined, `${TOKEN}x`, TOKEN.slice(0, -1), TOKEN.toUpperCase(), '', 't\u00f6ken']) {
      expectRefusal(await as(token).jobs(), 401, 'unauthorized');
    }
  });

  it.each(ROUTES)(
    'answers 401 to %s %s without the token, before anything else is said [AU04]',
    async (method, target) => {
      const answer = await as().request(method, target, method === 'POST' ? { body: '{' } : {});
      if (method === 'HEAD') expect([answer.status, answer.bytes.length]).toEqual([401, 0]);
      else expectRefusal(answer, 401, 'unauthorized');
    },
  );

  it.each(['Basic dXNlcjpwYXNz', 'Bearer', `bearer${TOKEN}`, TOKEN, `Token ${TOKEN}`, `Bearer ${TOKEN} ${TOKEN}`])(
    'answers 401 to the credential %s [AU01] [AU02] [AU03]',
    async (authorization) => {
      expectRefusal(await as().request('GET', '/api/v2/jobs', { headers: { authorization } }), 401, 'unauthorized');
    },
  );

  it('takes the scheme in any letter case (RFC 9110, 11.1)', async () => {
    expectStatus(await as().request('GET', '/api/v2/jobs', { headers: { authorization: `bearer ${TOKEN}` } }), 200);
  });

  it('answers 401 at the content url of an output (Authentication 5) [AU05]', async () => {
    const job = await server.client.submitted(textGraph());
    const ended = await server.client.reached(job.id, 'succeeded');
    expectRefusal(await as().follow(ended.outputs[0]?.url ?? ''), 401, 'unauthorized');
    expectStatus(await as(TOKEN).follow(ended.outputs[0]?.url ?? ''), 200);
  });

  it('answers 401 in the envelope instead of a stream [EV17]', async () => {
    const job = await server.client.submitted(textGraph());
    expectRefusal(
      await as().get(`/api/v2/jobs/${job.id}/events`, { accept: 'text/event-stream' }),
      401,
      'unauthorized',
    );
  });

  it('shows a presented credential neither in an answer nor in the log [AU10]', async () => {
    const wrong = 'canary-credential-4711';
    const answer = await as(wrong).jobs();
    expect(textOf(answer)).not.toContain(wrong);
    const requestId = String(answer.headers['x-request-id']);
    const lines = await eventually('the line of the request', () => {
      const { log } = server;
      return log.includes(requestId) ? log.split('\n').filter((line) => line.includes(requestId)) : null;
    });
    expect(lines.join('\n')).toMatch(/"level":"debug".*401/);
    expect(server.log).not.toContain(wrong);
    expect(server.log).not.toContain(TOKEN);
  });

  it('answers a missing route with 404 or 401, never with more (decisions, Order of checks)', async () => {
    expectRefusal(await as().get('/api/v2/nope'), 404, 'not_found');
  });
});

function reachable(host: string, port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host, port, timeout: 10_000 });
    const end = (answer: boolean) => () => {
      socket.destroy();
      done(answer);
    };
    socket.on('connect', end(true)).on('error', end(false)).on('timeout', end(false));
  });
}
