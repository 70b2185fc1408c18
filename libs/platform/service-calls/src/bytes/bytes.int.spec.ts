import { PassThrough, Readable } from 'node:stream';
import { currentCallContext, withCallContext } from '@heddle/platform-telemetry';
import { afterEach, describe, expect, it } from 'vitest';
import { ServiceAwayError } from '../call/call-errors.js';
import { CallFixture, keys, nowhere, signalled, tokenOf } from '../calls.fixture.js';
import { issueServiceToken, newServiceKeyPair } from '../identity/service-token.js';
import type { ByteRoute, UploadRoute } from './byte-route.js';
import { SourceBrokenError } from './relayed-body.js';

const fixture = new CallFixture();
afterEach(() => fixture.close());

const MIB = 1024 * 1024;
const open = { path: '/v1/stream', openTo: ['gateway'] } as const;
const takes = (handle: UploadRoute['handle']): ByteRoute[] => [{ ...open, kind: 'upload', handle }];
const gives = (body: Readable, head: unknown = null): ByteRoute[] => [
  { ...open, kind: 'download', handle: () => Promise.resolve({ head, body }) },
];

async function lengthOf(body: Readable): Promise<number> {
  let length = 0;
  for await (const chunk of body) length += (chunk as Buffer).length;
  return length;
}

async function errorOf(promise: Promise<unknown>): Promise<Error> {
  return await promise.then(
    () => new Error('it was answered'),
    (error: Error) => error,
  );
}

/** Produces chunks of 64 KiB on demand, and counts them. */
function endless(count: { chunks: number }, most = Infinity): Readable {
  const chunk = Buffer.alloc(64 * 1024, 1);
  return new Readable({
    read() {
      count.chunks += 1;
      this.push(count.chunks > most ? null : chunk);
    },
  });
}

const upload = (body: Readable, more: object = {}) => ({ path: open.path, head: { a: 'é' }, body, ...more });
const download = { path: open.path, head: null };

describe('an upload', () => {
  it('arrives whole, with its head', async () => {
    const server = await fixture.port(takes(async (head, body) => ({ head, n: await lengthOf(body) })));
    const client = fixture.bytesClient([server.url]);
    const chunks = Array.from({ length: 33 }, () => Buffer.alloc(MIB, 7));
    const answer = await client.upload(upload(Readable.from(chunks)));
    expect(answer).toEqual({ head: { a: 'é' }, n: 33 * MIB });
    expect(await client.upload(upload(Readable.from([])))).toEqual({ head: { a: 'é' }, n: 0 });
  });

  it('is answered before its end where the service wants no more, and its source is left alone', async () => {
    const handle: UploadRoute['handle'] = async (_, body) => {
      await new Promise((resolve) => body.once('data', resolve));
      body.pause();
      return 'enough';
    };
    const server = await fixture.port(takes(handle));
    const client = fixture.bytesClient([server.url]);
    for (let n = 0; n < 3; n += 1) {
      const count = { chunks: 0 };
      const source = endless(count);
      expect(await client.upload(upload(source))).toBe('enough');
      expect(source.destroyed).toBe(false);
      expect(source.listenerCount('data')).toBe(0);
      // Its owner can still read it.
      await new Promise((resolve) => source.once('data', () => resolve(source.destroy())).resume());
    }
  });

  it('leaves its connection fit for the next call if it was sent whole and answered unread', async () => {
    const handle: UploadRoute['handle'] = async (_, body) => {
      await new Promise((resolve) => body.once('data', resolve));
      body.pause();
      return 'enough';
    };
    const server = await fixture.port(takes(handle));
    const client = fixture.bytesClient([server.url], { streams: 1 });
    const started = performance.now();
    for (let n = 0; n < 8; n += 1) {
      const sent = Readable.from([Buffer.alloc(600_000), Buffer.alloc(600_000), Buffer.alloc(600_000)]);
      expect(await client.upload(upload(sent))).toBe('enough');
    }
    // Closing a connection because of an unread body would take 5 s each time.
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('takes from its source only what the service takes', async () => {
    const goOn = signalled();
    const server = await fixture.port(
      takes(async (_, body) => {
        await goOn.promise;
        return await lengthOf(body);
      }),
    );
    const count = { chunks: 0 };
    let before = -1;
    const sent = fixture.bytesClient([server.url]).upload(upload(endless(count, 512)));
    // Waits until the connection's buffers are full and the count stands still.
    while (before !== count.chunks) {
      before = count.chunks;
      for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(count.chunks * 64).toBeLessThan(16 * 1024);
    goOn.resolve();
    expect(await sent).toBe(512 * 64 * 1024);
  });

  it('whose source breaks off breaks off at the service, and says whose fault it was', async () => {
    const broken = signalled<Error>();
    const begun = signalled();
    const server = await fixture.port(
      takes(async (_, body) => {
        body.once('data', () => begun.resolve());
        broken.resolve(await errorOf(lengthOf(body)));
        return null;
      }),
    );
    const source = new PassThrough();
    const sent = errorOf(fixture.bytesClient([server.url]).upload(upload(source)));
    source.write(Buffer.alloc(100_000));
    await begun.promise;
    source.destroy(new Error('the client hung up'));
    expect(await sent).toBeInstanceOf(SourceBrokenError);
    expect((await broken.promise).message).not.toBe('it was answered');
  });

  it('to a service that dies under it fails at once, and leaves the source usable', async () => {
    const begun = signalled<void>();
    const dying = await fixture.socketServer((socket) => {
      let received = 0;
      socket.on('data', (chunk) => {
        received += chunk.length;
        if (received > 3 * MIB) {
          begun.resolve();
          socket.resetAndDestroy();
        }
      });
    });
    const source = endless({ chunks: 0 });
    const error = await errorOf(fixture.bytesClient([dying]).upload(upload(source)));
    expect(error).toMatchObject({ name: 'ServiceAwayError', mayHaveActed: true });
    await begun.promise;
    expect(source.destroyed).toBe(false);
  });

  it('goes to another target while nothing of it was taken', async () => {
    const server = await fixture.port(takes(async (_, body) => await lengthOf(body)));
    const client = fixture.bytesClient([nowhere(), server.url, nowhere()]);
    for (let n = 0; n < 6; n += 1) expect(await client.upload(upload(Readable.from([Buffer.alloc(9)])))).toBe(9);
  });

  it('that another process refused is not sent on from its middle', async () => {
    const lengths: number[] = [];
    const whole = await fixture.port(takes(async (_, body) => lengths.push(await lengthOf(body))));
    const full = await fixture.port(
      takes(() => Promise.resolve(null)),
      { maxTransfers: 0 },
    );
    const client = fixture.bytesClient([full.url, whole.url]);
    const sent = await Promise.allSettled(
      Array.from({ length: 8 }, () => client.upload(upload(endless({ chunks: 0 }, 200)))),
    );
    expect(lengths).toEqual(lengths.map(() => 200 * 64 * 1024));
    const refused = sent.filter((one) => one.status === 'rejected').map(({ reason }) => String(reason));
    expect(refused).toHaveLength(8 - lengths.length);
    for (const reason of refused) expect(reason).toMatch(/serves 0 calls already/);
  });

  it('to a frozen service is given up when that takes no bytes, or does not answer the last one', async () => {
    const frozen = await fixture.socketServer((socket) => socket.pause());
    const client = fixture.bytesClient([frozen]);
    const stuck = await errorOf(client.upload(upload(endless({ chunks: 0 }), { stallMs: 200 })));
    expect(stuck).toBeInstanceOf(ServiceAwayError);
    expect(stuck.message).toMatch(/made no progress for 200 ms/);
    const unanswered = await errorOf(client.upload(upload(Readable.from([Buffer.alloc(9)]), { stallMs: 200 })));
    expect(unanswered.message).toMatch(/made no progress/);
  });
});

describe('a download', () => {
  it('arrives whole, with its head', async () => {
    const server = await fixture.port(gives(endless({ chunks: 0 }, 100), { name: '\u2028é' }));
    const { head, body } = await fixture.bytesClient([server.url]).download(download);
    expect(head).toEqual({ name: '\u2028é' });
    expect(await lengthOf(body)).toBe(100 * 64 * 1024);
  });

  it('is read there only as it is taken here, and ends there when it is dropped here', async () => {
    const count = { chunks: 0 };
    const source = endless(count);
    const closed = new Promise((resolve) => source.once('close', resolve));
    const server = await fixture.port(gives(source));
    const { body } = await fixture.bytesClient([server.url]).download(download);
    await new Promise((resolve) => body.once('readable', resolve));
    let before = -1;
    while (before !== count.chunks) {
      before = count.chunks;
      for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(count.chunks * 64).toBeLessThan(16 * 1024);
    body.destroy();
    await closed;
  });

  it('breaks here when its source or its service breaks, never ends short', async () => {
    const source = new PassThrough();
    const server = await fixture.port(gives(source));
    const { body } = await fixture.bytesClient([server.url]).download(download);
    source.write(Buffer.alloc(10));
    const error = errorOf(lengthOf(body));
    source.destroy(new Error('the disk is gone'));
    expect((await error).message).not.toBe('it was answered');
  });

  it('from a service that falls silent is given up; one that is not taken from is not', async () => {
    const source = new PassThrough();
    const server = await fixture.port(gives(source));
    const { body } = await fixture.bytesClient([server.url]).download({ ...download, stallMs: 200 });
    const reading = errorOf(lengthOf(body));
    source.write(Buffer.alloc(10));
    expect((await reading).message).toMatch(/no bytes of the answer arrived in time/);
  });

  it('is not cut by the deadline until which it must have begun', async () => {
    const source = new PassThrough();
    const server = await fixture.port(gives(source));
    const { body } = await fixture.bytesClient([server.url]).download({ ...download, deadlineMs: 2_000 });
    const deadline = performance.now() + 2_600;
    const writing = (async () => {
      while (performance.now() < deadline) {
        source.write(Buffer.alloc(10));
        await new Promise((resolve) => setImmediate(resolve));
      }
      source.end();
    })();
    expect(await lengthOf(body)).toBeGreaterThan(0);
    await writing;
  });
});

describe('calls for bytes', () => {
  const one = (): ByteRoute[] => [
    {
      ...open,
      kind: 'download',
      handle: () => Promise.resolve({ head: null, body: Readable.from([Buffer.alloc(1)]) }),
    },
  ];

  it('that are refused are told why, before anything of them is done', async () => {
    let handled = 0;
    const routes = takes((head) => Promise.resolve((handled += 1) && head));
    const { url } = await fixture.port([...routes, { ...one()[0]!, path: '/v1/read' }]);
    const stranger = newServiceKeyPair();
    const claims = { service: 'gateway', deploymentId: null, expiresAt: 9_999_999_999 };
    const foreign = await issueServiceToken(keys.privateKey, { ...claims, audience: 'logs' });
    const forged = await issueServiceToken(stranger.privateKey, { ...claims, audience: 'jobs' });
    for (const [token, status, message] of [
      ['', 401, /no service token/],
      ['none', 401, /no service token of the form/],
      [forged, 401, /not signed by the key/],
      [foreign, 401, /is for logs, and this is the jobs service/],
      [await tokenOf('worker'), 403, /service worker may not make this call; allowed: gateway/],
    ] as const) {
      const refused = errorOf(fixture.bytesClient([url], { token }).upload(upload(Readable.from(['x']))));
      expect(await refused).toMatchObject({ name: 'CallRefusedError', status });
      expect((await refused).message).toMatch(message);
    }
    const client = fixture.bytesClient([url]);
    const unknown = errorOf(client.download({ ...download, path: '/v2/stream' }));
    expect(await unknown).toMatchObject({ name: 'CallRefusedError', status: 404, code: 'unknown_call' });
    const large = errorOf(client.download({ path: '/v1/read', head: 'x'.repeat(70_000) }));
    expect(await large).toMatchObject({ name: 'CallRefusedError', status: 413, code: 'too_large' });
    expect(handled).toBe(0);
  });

  it('that fail there say so, and tell no more of why than they may', async () => {
    const fail = (name: string) => (): Promise<never> =>
      Promise.reject(Object.assign(new Error('the inside of it'), { name }));
    const { url } = await fixture.port(takes(fail('Other')));
    const failed = await errorOf(fixture.bytesClient([url]).upload(upload(Readable.from(['x']))));
    expect(failed).toMatchObject({ name: 'CallFailedError', code: 'failed' });
    expect(failed.message).not.toContain('inside');
    const telling = await fixture.port(takes(fail('OutputTooLargeError')));
    const told = await errorOf(fixture.bytesClient([telling.url]).upload(upload(Readable.from(['x']))));
    expect(told).toMatchObject({ code: 'OutputTooLargeError', message: 'the jobs service failed: the inside of it' });
  });

  it('carry the request id and the trace context of whoever makes them', async () => {
    const { url } = await fixture.port(takes(() => Promise.resolve(currentCallContext())));
    const context = { requestId: 'r-1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    const client = fixture.bytesClient([url]);
    expect(await withCallContext(context, () => client.upload(upload(Readable.from(['x']))))).toEqual(context);
  });

  it('that nobody answers fail at their deadline, here and there', async () => {
    const { url } = await fixture.port(takes(() => new Promise(() => undefined)));
    const late = errorOf(fixture.bytesClient([url]).upload(upload(Readable.from(['x']), { deadlineMs: 300 })));
    expect(await late).toMatchObject({ name: 'ServiceAwayError', mayHaveActed: true });
    const frozen = await fixture.socketServer(() => undefined);
    const error = await errorOf(fixture.bytesClient([frozen]).download({ ...download, deadlineMs: 200 }));
    expect(error.message).toMatch(/the jobs service did not answer: no answer of http:\S+ in \d+ ms/);
  });

  it('go to the processes in turn, past those that refuse connections, and to a frozen one once', async () => {
    const counts = [0, 0];
    const ports = await Promise.all(
      counts.map((_, at) => fixture.port(takes(() => Promise.resolve((counts[at]! += 1))))),
    );
    const client = fixture.bytesClient([nowhere(), ...ports.map(({ url }) => url)]);
    for (let n = 0; n < 20; n += 1) await client.upload(upload(Readable.from(['x'])));
    expect(counts[0]! + counts[1]!).toBe(20);
    expect(Math.min(...counts)).toBeGreaterThan(5);
    let taken = 0;
    const frozen = await fixture.socketServer(() => (taken += 1));
    const { url } = await fixture.port(one());
    const reading = fixture.bytesClient([frozen, url]);
    for (let n = 0; n < 20; n += 1) {
      const { body } = await reading.download({ ...download, deadlineMs: 1_000 });
      expect(await lengthOf(body)).toBe(1);
    }
    expect(taken).toBeLessThan(4);
  });

  it('that have begun are finished by a process that stops; others go elsewhere', async () => {
    const [begun, goOn] = [signalled(), signalled()];
    const routes = takes(async (_, body) => {
      begun.resolve();
      await goOn.promise;
      return await lengthOf(body);
    });
    // Calls are cut at once.
    const stopping = await fixture.port(routes, { graceMs: 0, transferGraceMs: 10_000 });
    const source = new PassThrough();
    const under = fixture.bytesClient([stopping.url]).upload(upload(source));
    source.write(Buffer.alloc(100));
    await begun.promise;
    const closing = stopping.close();
    const other = await fixture.port(takes(() => Promise.resolve('elsewhere')));
    const client = fixture.bytesClient([stopping.url, other.url]);
    for (let n = 0; n < 4; n += 1) expect(await client.upload(upload(Readable.from(['x'])))).toBe('elsewhere');
    source.end(Buffer.alloc(100));
    goOn.resolve();
    expect(await under).toBe(200);
    await closing;
  });

  it('beyond the number that a process serves at once go elsewhere', async () => {
    const [begun, goOn] = [signalled(), signalled()];
    const waits = (): ByteRoute[] => [
      {
        ...open,
        kind: 'download',
        handle: async () => {
          begun.resolve();
          await goOn.promise;
          return { head: 'full', body: null };
        },
      },
    ];
    const full = await fixture.port(waits(), { maxTransfers: 1 });
    const first = fixture.bytesClient([full.url]).download(download);
    await begun.promise;
    const other = await fixture.port(gives(Readable.from([]), 'elsewhere'));
    expect((await fixture.bytesClient([full.url, other.url]).download(download)).head).toBe('elsewhere');
    const busy = await errorOf(fixture.bytesClient([full.url]).download(download));
    expect(busy).toMatchObject({ name: 'ServiceAwayError', mayHaveActed: false });
    goOn.resolve();
    expect((await first).head).toBe('full');
  });
});
