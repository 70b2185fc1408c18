import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { currentCallContext, withCallContext } from '@heddle/platform-telemetry';
import { CallFixture, GATEWAY_TOKEN, keys, nowhere, signalled, tokenOf, tokensOf } from '../calls.fixture.js';
import { newServiceKeyPair } from '../identity/service-token.js';
import type { IncomingCall } from '../serve-calls/call-route.js';
import type { CallServer } from '../serve-calls/call-server.js';
import { CallServer as Server } from '../serve-calls/call-server.js';
import { CallFailedError, CallRefusedError, ServiceAwayError } from './call-errors.js';

const fixture = new CallFixture();
afterEach(() => fixture.close());

type Handle = (call: IncomingCall) => Promise<{ head: unknown; bytes?: Uint8Array[] }>;
const serving =
  (handle: Handle, more: object = {}) =>
  (server: CallServer): void =>
    server.route({ kind: 'plain', path: '/v1/do', openTo: ['gateway'], handle, ...more });
const echo: Handle = ({ head, bytes }) => Promise.resolve({ head, bytes: [bytes] });
const does = { path: '/v1/do', head: { a: 1 }, repeatable: true };

async function errorOf(promise: Promise<unknown>): Promise<Error> {
  return await promise.then(
    () => new Error('it was answered'),
    (error: Error) => error,
  );
}

describe('a call', () => {
  it('carries JSON and raw bytes there and back', async () => {
    const { url } = await fixture.server(serving(echo));
    const client = fixture.client([url]);
    const all = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    const answer = await client.call({ ...does, head: { text: 'é\u0000\ud83c\udf9e' }, bytes: [all, all] });
    expect(answer.head).toEqual({ text: 'é\u0000\ud83c\udf9e' });
    expect(answer.bytes.equals(Buffer.concat([all, all]))).toBe(true);
    expect((await client.call({ ...does, head: null })).head).toBeNull();
  });

  it('carries the request id and the trace context of whoever makes it', async () => {
    const { url } = await fixture.server(serving(() => Promise.resolve({ head: currentCallContext() })));
    const client = fixture.client([url]);
    const context = { requestId: 'r-1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    expect((await withCallContext(context, () => client.call(does))).head).toEqual(context);
    const made = (await client.call(does)).head as typeof context;
    expect(made.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(made.traceparent).toBeNull();
  });

  it('over its limit is refused before it is read', async () => {
    const { url } = await fixture.server(serving(echo, { bodyBytes: 1_000 }));
    const error = await errorOf(fixture.client([url]).call({ ...does, bytes: [Buffer.alloc(5_000_000)] }));
    expect(error).toBeInstanceOf(CallRefusedError);
    expect(error).toMatchObject({ status: 413, message: expect.stringContaining('1000 bytes') as string });
  });

  it('whose answer is over its limit is given up', async () => {
    const { url } = await fixture.server(serving(() => Promise.resolve({ head: 'x'.repeat(10_000) })));
    const error = await errorOf(fixture.client([url]).call({ ...does, answerBytes: 1_000 }));
    expect(error.message).toMatch(/over 1000 bytes/);
  });

  it('that fails there says so, and tells the reason only where the route does', async () => {
    const fail: Handle = () => {
      const error = new Error('the inside of it');
      error.name = 'OutcomeTooEarly';
      return Promise.reject(error);
    };
    const told = fixture.client([(await fixture.server(serving(fail, { tells: ['OutcomeTooEarly'] }))).url]);
    expect(await errorOf(told.call(does))).toMatchObject({
      name: 'CallFailedError',
      code: 'OutcomeTooEarly',
      message: 'the jobs service failed: the inside of it',
    });
    const untold = await errorOf(fixture.client([(await fixture.server(serving(fail))).url]).call(does));
    expect(untold).toBeInstanceOf(CallFailedError);
    expect(untold.message).toMatch(/request id is /);
    expect(untold.message).not.toContain('inside');
  });

  it('of a newer version finds out that this one has no such call', async () => {
    const { url } = await fixture.server(serving(echo));
    const error = await errorOf(fixture.client([url]).call({ ...does, path: '/v1/other' }));
    expect(error).toMatchObject({ name: 'CallRefusedError', status: 404, code: 'unknown_call' });
  });
});

describe('the identity of a caller', () => {
  it('is asked for first, and opens only what it is for', async () => {
    const { url } = await fixture.server(serving(echo));
    const stranger = newServiceKeyPair();
    const forged = GATEWAY_TOKEN.replace(/.{8}$/, 'AAAAAAAA');
    const cases = [
      ['', 401, /no service token/],
      [forged, 401, /not signed by the key/],
      [await tokenOf('worker'), 403, /service worker may not make this call; allowed: gateway/],
    ] as const;
    for (const [token, status, message] of cases) {
      const error = await errorOf(fixture.client([url], { token }).call(does));
      expect(error).toMatchObject({
        name: 'CallRefusedError',
        status,
        message: expect.stringMatching(message) as string,
      });
    }
    const unknown = await errorOf(fixture.client([url], { token: 'none' }).call({ ...does, path: '/v1/other' }));
    expect(unknown).toMatchObject({ status: 401 });
    const elsewhere = await fixture.server(serving(echo), { tokens: tokensOf([stranger.publicKey]) });
    expect(await errorOf(fixture.client([elsewhere.url]).call(does))).toMatchObject({ status: 401 });
    const changing = await fixture.server(serving(echo), { tokens: tokensOf([stranger.publicKey, keys.publicKey]) });
    expect((await fixture.client([changing.url]).call(does)).head).toEqual({ a: 1 });
  });

  it('may be asked for by the connection as well: TLS both ways', async () => {
    const pem = (name: string): string =>
      readFileSync(new URL(`../../test-certificates/${name}`, import.meta.url), 'utf8');
    const tls = { key: pem('server.key'), cert: pem('server.crt'), ca: pem('ca.crt') };
    const { url } = await fixture.server(serving(echo), { tls });
    const own = { key: pem('client.key'), cert: pem('client.crt'), ca: pem('ca.crt') };
    expect((await fixture.client([url], { tls: own }).call(does)).head).toEqual({ a: 1 });
    expect((await fixture.client([url.replace('127.0.0.1', 'localhost')], { tls: own }).call(does)).head).toEqual({
      a: 1,
    });
    const without = await errorOf(fixture.client([url], { tls: { ca: pem('ca.crt') } }).call(does));
    expect(without).toBeInstanceOf(ServiceAwayError);
    const distrusting = await errorOf(fixture.client([url], { tls: { key: own.key, cert: own.cert } }).call(does));
    expect(distrusting).toMatchObject({ name: 'ServiceAwayError', mayHaveActed: false });
  });
});

describe('a deadline', () => {
  it('ends the call at both ends', async () => {
    const aborted = signalled();
    const { url } = await fixture.server(
      serving(({ signal }) => {
        signal.addEventListener('abort', () => aborted.resolve());
        return new Promise(() => undefined);
      }),
    );
    const started = performance.now();
    const error = await errorOf(fixture.client([url]).call({ ...does, deadlineMs: 1_000, repeatable: false }));
    expect(error).toBeInstanceOf(ServiceAwayError);
    expect(error).toMatchObject({ service: 'jobs', mayHaveActed: true });
    expect(performance.now() - started).toBeLessThan(5_000);
    await aborted.promise;
  });

  it('holds where a process takes connections and never answers', async () => {
    const frozen = await fixture.socketServer(() => undefined);
    const error = await errorOf(fixture.client([frozen]).call({ ...does, deadlineMs: 200 }));
    expect(error).toBeInstanceOf(ServiceAwayError);
    expect(error.message).toMatch(/the jobs service did not answer: no answer of http:\S+ in \d+ ms/);
  });
});

describe('several targets', () => {
  it('are called in turn', async () => {
    const counts = [0, 0, 0];
    const servers = await Promise.all(
      counts.map((_, at) =>
        fixture.server(
          serving(() => {
            counts[at]! += 1;
            return Promise.resolve({ head: at });
          }),
        ),
      ),
    );
    const client = fixture.client(servers.map(({ url }) => url));
    for (let n = 0; n < 9; n += 1) await client.call(does);
    expect(counts).toEqual([3, 3, 3]);
  });

  it('that refuse connections are passed over, for calls that must not be repeated too', async () => {
    const { url } = await fixture.server(serving(echo));
    const client = fixture.client([nowhere(), url, nowhere()]);
    for (let n = 0; n < 20; n += 1) expect((await client.call({ ...does, repeatable: false })).head).toEqual({ a: 1 });
  });

  it('that freeze cost a repeatable call half its time once, and are passed over then', async () => {
    let taken = 0;
    const frozen = await fixture.socketServer(() => (taken += 1));
    const { url } = await fixture.server(serving(echo));
    const client = fixture.client([frozen, url], { ejectMs: 60_000 });
    for (let n = 0; n < 20; n += 1) expect((await client.call({ ...does, deadlineMs: 6_000 })).head).toEqual({ a: 1 });
    expect(taken).toBe(1);
  });

  it('that break off under a call are left for another where it may be repeated', async () => {
    let broken = 0;
    const cutting = await fixture.socketServer((socket) =>
      socket.once('data', () => {
        broken += 1;
        socket.destroy();
      }),
    );
    const { url } = await fixture.server(serving(echo));
    expect((await fixture.client([cutting, url]).call(does)).head).toEqual({ a: 1 });
    expect((await fixture.client([url, cutting]).call(does)).head).toEqual({ a: 1 });
    expect(broken).toBeGreaterThan(0);
    const once = await errorOf(fixture.client([cutting]).call({ ...does, repeatable: false }));
    expect(once).toMatchObject({ name: 'ServiceAwayError', mayHaveActed: true });
  });

  it('come back by themselves when they are started again', async () => {
    const first = await fixture.server(serving(echo));
    const { url } = first;
    const client = fixture.client([url]);
    await client.call(does);
    await first.close(0);
    const away = await errorOf(client.call(does));
    expect(away).toMatchObject({ name: 'ServiceAwayError', mayHaveActed: false });
    const port = Number(new URL(url).port);
    const again = new Server({ host: '127.0.0.1', port, tokens: tokensOf([keys.publicKey]) });
    serving(echo)(again);
    await again.listen();
    expect((await client.call({ ...does, repeatable: false })).head).toEqual({ a: 1 });
    await again.close(0);
  });
});

describe('a server that stops', () => {
  it('finishes what it has begun, and sends new calls elsewhere', async () => {
    const begun = signalled();
    const goOn = signalled();
    const stopping = await fixture.server(
      serving(async () => {
        begun.resolve();
        await goOn.promise;
        return { head: 'finished' };
      }),
    );
    const other = await fixture.server(serving(() => Promise.resolve({ head: 'elsewhere' })));
    const client = fixture.client([stopping.url, other.url]);
    const slow = [client, client].map((one) => one.call({ ...does, repeatable: false }));
    await begun.promise;
    const closing = stopping.close(10_000);
    for (let n = 0; n < 4; n += 1) {
      expect((await client.call({ ...does, repeatable: false })).head).toBe('elsewhere');
    }
    goOn.resolve();
    expect((await Promise.all(slow)).map(({ head }) => head).sort()).toEqual(['elsewhere', 'finished']);
    await closing;
  });

  it('loses no call, not even one that must not be repeated, while replicas are renewed one after the other', async () => {
    const start = async (port: number): Promise<CallServer> => await fixture.server(serving(echo), { port });
    const servers = [await start(0), await start(0)];
    const client = fixture.client(servers.map(({ url }) => url));
    await Promise.all(Array.from({ length: 8 }, () => client.call(does)));
    let renewing = true;
    let answered = 0;
    const callers = Array.from({ length: 8 }, async () => {
      while (renewing) {
        await client.call({ ...does, repeatable: false });
        answered += 1;
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    const renewal = (async () => {
      for (const at of [0, 1, 0]) {
        const port = Number(new URL(servers[at]!.url).port);
        const before = answered;
        await servers[at]!.close();
        servers[at] = await start(port);
        expect(answered).toBeGreaterThan(before);
      }
    })().finally(() => (renewing = false));
    await Promise.all([renewal, ...callers]);
  });

  it('serves only so many calls at once; more go elsewhere', async () => {
    const goOn = signalled();
    const begun = signalled();
    const waiting: Handle = async () => {
      begun.resolve();
      await goOn.promise;
      return { head: 'full' };
    };
    const full = await fixture.server(serving(waiting), { mostCalls: 1 });
    const first = fixture.client([full.url]).call(does);
    await begun.promise;
    const other = await fixture.server(serving(() => Promise.resolve({ head: 'elsewhere' })));
    const client = fixture.client([full.url, other.url]);
    expect((await client.call({ ...does, repeatable: false })).head).toBe('elsewhere');
    expect((await client.call({ ...does, repeatable: false })).head).toBe('elsewhere');
    const busy = await errorOf(fixture.client([full.url]).call({ ...does, deadlineMs: 10_000 }));
    expect(busy).toMatchObject({ name: 'ServiceAwayError', mayHaveActed: false });
    goOn.resolve();
    await first;
  });
});
