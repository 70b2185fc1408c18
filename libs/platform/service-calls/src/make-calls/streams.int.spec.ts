import { PassThrough, Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { CallFixture, nowhere, signalled } from '../calls.fixture.js';
import type { CallRoute } from '../serve-calls/call-route.js';
import type { CallServer } from '../serve-calls/call-server.js';
import { ServiceAwayError } from './call-errors.js';
import { SourceBrokenError } from './relayed-body.js';

const fixture = new CallFixture();
afterEach(() => fixture.close());

const MIB = 1024 * 1024;
const open = { path: '/v1/stream', openTo: ['gateway'] } as const;
const serve =
  (route: CallRoute) =>
  (server: CallServer): void =>
    server.route(route);

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

/** Gives chunks of 64 KiB as they are wanted, and counts them. */
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
    const server = await fixture.server(
      serve({
        ...open,
        kind: 'upload',
        handle: async ({ head }, body) => ({ head: { head, n: await lengthOf(body) } }),
      }),
    );
    const client = fixture.client([server.url]);
    const chunks = Array.from({ length: 33 }, () => Buffer.alloc(MIB, 7));
    const answer = await client.upload(upload(Readable.from(chunks)));
    expect(answer.head).toEqual({ head: { a: 'é' }, n: 33 * MIB });
    expect((await client.upload(upload(Readable.from([])))).head).toEqual({ head: { a: 'é' }, n: 0 });
  });

  it('is answered before its end where the service wants no more, and its source is left alone', async () => {
    const handle: Extract<CallRoute, { kind: 'upload' }>['handle'] = async (_, body) => {
      await new Promise((resolve) => body.once('data', resolve));
      body.pause();
      return { head: 'enough' };
    };
    const server = await fixture.server(serve({ ...open, kind: 'upload', handle }));
    const client = fixture.client([server.url]);
    for (let n = 0; n < 3; n += 1) {
      const count = { chunks: 0 };
      const source = endless(count);
      expect((await client.upload(upload(source))).head).toBe('enough');
      expect(source.destroyed).toBe(false);
      expect(source.listenerCount('data')).toBe(0);
      // Its owner can go on with it.
      await new Promise((resolve) => source.once('data', () => resolve(source.destroy())).resume());
    }
  });

  it('that was sent whole and answered unread leaves its connection fit for the next call', async () => {
    const handle: Extract<CallRoute, { kind: 'upload' }>['handle'] = async (_, body) => {
      await new Promise((resolve) => body.once('data', resolve));
      body.pause();
      return { head: 'enough' };
    };
    const server = await fixture.server(serve({ ...open, kind: 'upload', handle }));
    const client = fixture.client([server.url], { streams: 1 });
    const started = performance.now();
    for (let n = 0; n < 8; n += 1) {
      const sent = Readable.from([Buffer.alloc(600_000), Buffer.alloc(600_000), Buffer.alloc(600_000)]);
      expect((await client.upload(upload(sent))).head).toBe('enough');
    }
    // A connection that is cut for what was left unread costs 5 s each time.
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('takes from its source only what the service takes', async () => {
    const goOn = signalled();
    const server = await fixture.server(
      serve({
        ...open,
        kind: 'upload',
        handle: async (_, body) => {
          await goOn.promise;
          return { head: await lengthOf(body) };
        },
      }),
    );
    const count = { chunks: 0 };
    let before = -1;
    const sent = fixture.client([server.url]).upload(upload(endless(count, 512)));
    // The connection's buffers fill up, and then nothing moves any more.
    while (before !== count.chunks) {
      before = count.chunks;
      for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(count.chunks * 64).toBeLessThan(16 * 1024);
    goOn.resolve();
    expect((await sent).head).toBe(512 * 64 * 1024);
  });

  it('whose source breaks off breaks off at the service, and says whose fault it was', async () => {
    const broken = signalled<Error>();
    const begun = signalled();
    const server = await fixture.server(
      serve({
        ...open,
        kind: 'upload',
        handle: async (_, body) => {
          body.once('data', () => begun.resolve());
          broken.resolve(await errorOf(lengthOf(body)));
          return { head: null };
        },
      }),
    );
    const source = new PassThrough();
    const sent = errorOf(fixture.client([server.url]).upload(upload(source)));
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
    const error = await errorOf(fixture.client([dying]).upload(upload(source)));
    expect(error).toMatchObject({ name: 'ServiceAwayError', mayHaveActed: true });
    await begun.promise;
    expect(source.destroyed).toBe(false);
  });

  it('goes to another target while nothing of it was taken', async () => {
    const server = await fixture.server(
      serve({ ...open, kind: 'upload', handle: async (_, body) => ({ head: await lengthOf(body) }) }),
    );
    const client = fixture.client([nowhere(), server.url, nowhere()]);
    for (let n = 0; n < 6; n += 1) expect((await client.upload(upload(Readable.from([Buffer.alloc(9)])))).head).toBe(9);
  });

  it('to a frozen service is given up when that takes no bytes, or does not answer the last one', async () => {
    const frozen = await fixture.socketServer((socket) => socket.pause());
    const client = fixture.client([frozen]);
    const stuck = await errorOf(client.upload(upload(endless({ chunks: 0 }), { stallMs: 200 })));
    expect(stuck).toBeInstanceOf(ServiceAwayError);
    expect(stuck.message).toMatch(/neither took bytes nor answered for 200 ms/);
    const unanswered = await errorOf(client.upload(upload(Readable.from([Buffer.alloc(9)]), { stallMs: 200 })));
    expect(unanswered.message).toMatch(/nor answered/);
  });
});

describe('a download', () => {
  it('arrives whole, with its head', async () => {
    const server = await fixture.server(
      serve({
        ...open,
        kind: 'download',
        handle: () => Promise.resolve({ head: { name: '\u2028é' }, body: endless({ chunks: 0 }, 100) }),
      }),
    );
    const { head, body } = await fixture.client([server.url]).download(download);
    expect(head).toEqual({ name: '\u2028é' });
    expect(await lengthOf(body)).toBe(100 * 64 * 1024);
  });

  it('is read there only as it is taken here, and ends there when it is dropped here', async () => {
    const count = { chunks: 0 };
    const source = endless(count);
    const closed = new Promise((resolve) => source.once('close', resolve));
    const server = await fixture.server(
      serve({ ...open, kind: 'download', handle: () => Promise.resolve({ head: null, body: source }) }),
    );
    const { body } = await fixture.client([server.url]).download(download);
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
    const server = await fixture.server(
      serve({ ...open, kind: 'download', handle: () => Promise.resolve({ head: null, body: source }) }),
    );
    const { body } = await fixture.client([server.url]).download(download);
    source.write(Buffer.alloc(10));
    const error = errorOf(lengthOf(body));
    source.destroy(new Error('the disk is gone'));
    expect((await error).message).not.toBe('it was answered');
  });

  it('from a service that falls silent is given up; one that is not taken from is not', async () => {
    const source = new PassThrough();
    const server = await fixture.server(
      serve({ ...open, kind: 'download', handle: () => Promise.resolve({ head: null, body: source }) }),
    );
    const { body } = await fixture.client([server.url]).download({ ...download, stallMs: 200 });
    const reading = errorOf(lengthOf(body));
    source.write(Buffer.alloc(10));
    expect((await reading).message).toMatch(/no byte of the jobs service came for 200 ms/);
  });

  it('is not cut by the deadline until which it must have begun', async () => {
    const source = new PassThrough();
    const server = await fixture.server(
      serve({ ...open, kind: 'download', handle: () => Promise.resolve({ head: null, body: source }) }),
    );
    const { body } = await fixture.client([server.url]).download({ ...download, deadlineMs: 2_000 });
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
