import 'reflect-metadata';
import { constants, createServer } from 'node:http2';
import type { Http2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { freshSeed as seed, Random } from '@heddle/testing-seed';
import type { MethodDefinition } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from 'vitest';
import { CallFixture, keys, signalled, tokensOf } from './calls.fixture.js';
import { serveCallsPort } from './serve/serve-calls-port.js';
import type { ServedCalls } from './serve/serve-calls-port.js';
import { GrpcController } from './serve/served-context.js';
import type { ServedContext } from './serve/served-context.js';

interface Work {
  readonly id: string;
  readonly ms: number;
  readonly text: string;
}

const REPLICAS = 3;
const RENEWALS = 12;
const READS_AT_ONCE = 16;
const WRITES_AT_ONCE = 8;
const MAX_WORK_MS = 30;
const MIN_RESETS = 10;
/** Longer than the keepalive interval of both sides */
const LONG_WORK_MS = 2_500;
/** Larger than the initial HTTP/2 window, so that some calls are half sent when their replica stops. */
const MAX_TEXT = 200_000;

function method(name: string): MethodDefinition<Work, string> {
  return {
    path: `/heddle.test.v1.RenewalService/${name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: (work) => Buffer.from(JSON.stringify(work)),
    requestDeserialize: (bytes) => JSON.parse(bytes.toString()) as Work,
    responseSerialize: (text) => Buffer.from(text),
    responseDeserialize: (bytes) => bytes.toString(),
  };
}
const RENEWED = { read: method('Read'), write: method('Write') };

/** How often each write reached a replica */
const written = new Map<string, number>();
const whenBegun = new Map<string, () => void>();
const AWAY = { name: 'ServiceAwayError' };

@GrpcController(RENEWED)
class RenewedController {
  async read({ id, ms, text }: Work): Promise<string> {
    whenBegun.get(id)?.();
    await new Promise((resolve) => setTimeout(resolve, ms));
    return text;
  }

  async write(work: Work): Promise<string> {
    written.set(work.id, (written.get(work.id) ?? 0) + 1);
    return await this.read(work);
  }
}
const CONTEXT: ServedContext = {
  definition: RENEWED,
  rules: { read: { openTo: ['gateway'] }, write: { openTo: ['gateway'] } },
  controller: RenewedController,
  providers: [],
};

interface Replica extends ServedCalls {
  readonly answered: Promise<void>;
}

describe('calls while replicas are renewed one after the other', () => {
  const fixture = new CallFixture();
  const replicas: Replica[] = [];
  const undo: (() => void)[] = [];
  afterEach(async () => {
    await fixture.close();
    for (const one of undo.splice(0)) one();
    for (const replica of replicas.splice(0)) await replica.close();
  });

  async function start(port: number): Promise<Replica> {
    const { promise: answered, resolve } = signalled();
    const served = await serveCallsPort({
      host: '127.0.0.1',
      port,
      contexts: [CONTEXT],
      tokens: tokensOf([keys.publicKey]),
      observe: ({ status }) => status === 'OK' && resolve(),
    });
    return { ...served, answered };
  }

  /** Starts a bare HTTP/2 server that resets every call. */
  async function resetter(code: number): Promise<{ readonly url: string; calls(): number }> {
    let calls = 0;
    const sessions = new Set<Http2Session>();
    const server = createServer().on('session', (session) => void sessions.add(session));
    server.on('stream', (stream) => {
      calls += 1;
      stream.on('error', () => undefined).close(code);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    undo.push(() => {
      for (const session of sessions) session.destroy();
      server.close();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls: () => calls };
  }

  it(`are all answered, and those that are not repeatable are made once (seed ${seed})`, async () => {
    for (let at = 0; at < REPLICAS; at += 1) replicas.push(await start(0));
    const channel = fixture.channel(
      replicas.map(({ url }) => url),
      { repeatable: [RENEWED.read] },
    );
    const failures: string[] = [];
    let renewing = true;
    let made = 0;
    const random = new Random(seed);
    const next = (limit: number): number => random.below(limit);
    const caller = async (one: MethodDefinition<Work, string>): Promise<void> => {
      while (renewing) {
        made += 1;
        const text = 'x'.repeat(next(4) === 0 ? next(MAX_TEXT) : next(1_000));
        const work = { id: `${made}`, ms: next(MAX_WORK_MS), text };
        await channel.call(one, work).then(
          (answer) => answer === text || failures.push(`${one.path} ${work.id}: another answer`),
          (error: unknown) => failures.push(`${one.path} ${work.id}: ${String(error)}`),
        );
      }
    };
    const callers = [
      ...Array.from({ length: READS_AT_ONCE }, () => caller(RENEWED.read)),
      ...Array.from({ length: WRITES_AT_ONCE }, () => caller(RENEWED.write)),
    ];
    await Promise.all(replicas.map(({ answered }) => answered));
    for (let at = 0; at < RENEWALS; at += 1) {
      const old = replicas[at % REPLICAS]!;
      await old.close();
      await (replicas[at % REPLICAS] = await start(Number(new URL(old.url).port))).answered;
    }
    renewing = false;
    await Promise.all(callers);
    expect(failures).toEqual([]);
    expect([...written].filter(([, times]) => times !== 1)).toEqual([]);
  });

  it('are finished by a replica that stops, also those that take longer than the pings of its connection', async () => {
    const replica = await start(0);
    replicas.push(replica);
    const channel = fixture.channel([replica.url]);
    await channel.call(RENEWED.read, { id: 'first', ms: 0, text: 'first' });
    const begun = signalled();
    whenBegun.set('long', begun.resolve);
    const long = channel.call(RENEWED.read, { id: 'long', ms: LONG_WORK_MS, text: 'long' });
    await begun.promise;
    await replica.close();
    expect(await long).toBe('long');
    await expect(channel.call(RENEWED.read, { id: 'late', ms: 0, text: '' })).rejects.toMatchObject(AWAY);
  });

  it.each([
    ['refuses', constants.NGHTTP2_REFUSED_STREAM, RENEWED.write],
    ['resets, if they are repeatable,', constants.NGHTTP2_CANCEL, RENEWED.read],
  ])('that a replica %s are made at another one', async (_, code, one) => {
    const [resetting, replica] = [await resetter(code), await start(0)];
    replicas.push(replica);
    const channel = fixture.channel([resetting.url, replica.url], { repeatable: [RENEWED.read] });
    let isConnected = false;
    void replica.answered.then(() => (isConnected = true));
    while (!isConnected) await channel.call(RENEWED.read, { id: 'first', ms: 0, text: '' });
    for (let at = 0; resetting.calls() < MIN_RESETS; at += 1) {
      expect(await channel.call(one, { id: `${code} ${at}`, ms: 0, text: `${at}` })).toBe(`${at}`);
    }
  });

  it('that a replica resets, and that are not repeatable, may have acted', async () => {
    const channel = fixture.channel([(await resetter(constants.NGHTTP2_CANCEL)).url]);
    const reset = channel.call(RENEWED.write, { id: 'reset', ms: 0, text: '' });
    await expect(reset).rejects.toMatchObject({ ...AWAY, mayHaveActed: true });
    const refusing = fixture.channel([(await resetter(constants.NGHTTP2_REFUSED_STREAM)).url]);
    const refused = refusing.call(RENEWED.write, { id: 'refused', ms: 0, text: '' });
    await expect(refused).rejects.toMatchObject({ ...AWAY, mayHaveActed: false });
  });
});
