import 'reflect-metadata';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { currentCallContext, withCallContext } from '@heddle/platform-telemetry';
import { CONNECTION_DEFAULTS, ConnectionGuard } from '@heddle/platform-http/connection-guard';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CallFixture, keys, nowhere, tokenOf, tokensOf } from './calls.fixture.js';
import { BatchedCalls } from './call/batched-calls.js';
import { ServiceChannel } from './call/service-channel.js';
import type { ServiceChannelOptions } from './call/service-channel.js';
import { BatchAnswers } from './serve/batch-answers.js';
import { MalformedCallError } from './serve/call-failures.js';
import { GrpcController } from './serve/served-context.js';
import { CallsPort } from './serve/calls-port.js';
import { startCalls } from './serve/start-calls.js';

interface Item {
  readonly text: string;
  readonly origin?: { readonly requestId: string; readonly traceparent?: string | undefined } | undefined;
}

interface Answered {
  readonly text: string;
  readonly failure?: { readonly status: number; readonly code: string; readonly message: string };
}

const json = <T>(): { write(value: T): Buffer; read(bytes: Buffer): T } => ({
  write: (value) => Buffer.from(JSON.stringify(value)),
  read: (bytes) => JSON.parse(bytes.toString()) as T,
});
function call<Request, Response>(name: string) {
  const [request, response] = [json<Request>(), json<Response>()];
  return {
    path: `/heddle.test.v1.EchoService/${name}`,
    requestStream: false as const,
    responseStream: false as const,
    requestSerialize: request.write,
    requestDeserialize: request.read,
    responseSerialize: response.write,
    responseDeserialize: response.read,
  };
}
const ECHO = {
  echo: call<string, { text: string; requestId: string | undefined }>('Echo'),
  many: call<readonly Item[], readonly Answered[]>('Many'),
};

@GrpcController(ECHO)
class EchoController {
  constructor(private readonly answers: BatchAnswers) {}

  async echo(text: string): Promise<{ text: string; requestId: string | undefined }> {
    if (text === 'malformed') throw new MalformedCallError('it is malformed');
    if (text === 'broken') throw new Error('a secret of the service');
    if (text === 'slow') await new Promise((resolve) => setTimeout(resolve, 300));
    return { text, requestId: currentCallContext()?.requestId };
  }

  async many(items: readonly Item[]): Promise<readonly Answered[]> {
    const serve = async ({ text }: Item): Promise<Answered> => {
      await Promise.resolve();
      if (text === 'broken') throw new Error('one of them');
      return { text: `${text} of ${currentCallContext()?.requestId}` };
    };
    return await this.answers.of(items, serve, (failure) => ({ text: '', failure }));
  }
}
Reflect.defineMetadata('design:paramtypes', [BatchAnswers], EchoController);

describe('gRPC calls between services', () => {
  const fixture = new CallFixture();
  const undo: (() => Promise<unknown>)[] = [];
  let gateway: string;
  beforeAll(async () => {
    gateway = await tokenOf('gateway');
  });
  afterEach(async () => {
    for (const one of undo.splice(0).reverse()) await one();
  });
  afterAll(() => fixture.close());

  async function served(graceMs = 0, isReady?: () => Promise<boolean>) {
    const rules = { echo: { openTo: ['gateway'], maxBytes: 1_000 }, many: { openTo: ['gateway'] } };
    const context = { definition: ECHO, rules, controller: EchoController, providers: [] };
    const ended: string[] = [];
    const taken: Socket[] = [];
    const grpc = await startCalls({
      ...(isReady === undefined ? {} : { isReady }),
      contexts: [context],
      tokens: tokensOf([keys.publicKey]),
      graceMs,
      observe: ({ path, status }) => void ended.push(`${path.split('/').at(-1)} ${status}`),
    });
    const port = new CallsPort({
      host: '127.0.0.1',
      port: 0,
      connections: new ConnectionGuard(CONNECTION_DEFAULTS),
      headMs: 10_000,
      http1: (_, response) => response.destroy(),
      http2: (connection) => {
        taken.push(connection);
        grpc.take(connection);
      },
    });
    await port.listen();
    const { url } = port;
    const close = (): Promise<void> => port.close(grpc.close());
    undo.push(close);
    return { url, ended, taken, close };
  }
  function channel(targets: readonly string[], options: Partial<ServiceChannelOptions> = {}): ServiceChannel {
    const token = (): string => gateway;
    const made = new ServiceChannel({ service: 'jobs', targets, token, repeatable: [ECHO.echo], ...options });
    undo.push(() => made.close());
    return made;
  }
  const away = { name: 'ServiceAwayError' };

  it('carry values, the request id and errors as their caller is to read them', async () => {
    const { url, ended } = await served();
    const jobs = channel([url]);
    const context = { requestId: 'r-1', traceparent: null };
    expect(await withCallContext(context, () => jobs.call(ECHO.echo, 'é'))).toEqual({ text: 'é', requestId: 'r-1' });
    const malformed = { name: 'CallRefusedError', status: 400, code: 'malformed' };
    await expect(jobs.call(ECHO.echo, 'malformed')).rejects.toMatchObject(malformed);
    await expect(jobs.call(ECHO.echo, 'broken')).rejects.toMatchObject({ name: 'CallFailedError', code: 'failed' });
    await expect(jobs.call(ECHO.echo, 'broken')).rejects.not.toThrow(/secret/);
    const tooLarge = { name: 'CallRefusedError', status: 413, code: 'too_large' };
    await expect(jobs.call(ECHO.echo, 'x'.repeat(1_001))).rejects.toMatchObject(tooLarge);
    await expect(jobs.call(call('Nothing'), 'x')).rejects.toMatchObject({ name: 'CallRefusedError' });
    expect(await jobs.probe(1_000)).toBeNull();
    await expect.poll(() => ended).toContain('Echo RESOURCE_EXHAUSTED');
    expect(ended.slice(0, 2)).toEqual(['Echo OK', 'Echo INVALID_ARGUMENT']);
  });

  it('are open to whom the table names, with a token for this service', async () => {
    const { url } = await served();
    const from = (token: string): ServiceChannel => channel([url], { token: () => token });
    const refused = (status: number) => ({ name: 'CallRefusedError', status });
    await expect(from(await tokenOf('worker')).call(ECHO.echo, 'x')).rejects.toMatchObject(refused(403));
    await expect(from('a.b.c').call(ECHO.echo, 'x')).rejects.toMatchObject(refused(401));
    expect(await from('a.b.c').probe(1_000)).toContain('refused the call');
  });

  it('are made to a process that is not ready, and its probe says so', async () => {
    let ready = true;
    const { url } = await served(0, () => Promise.resolve(ready));
    const jobs = channel([url]);
    expect(await jobs.probe(5_000)).toBeNull();
    ready = false;
    expect(await jobs.probe(5_000)).toBe('the jobs service is not ready: its /readyz names what it waits for');
    expect(await jobs.call(ECHO.echo, 'x')).toMatchObject({ text: 'x' });
    ready = true;
    expect(await jobs.probe(5_000)).toBeNull();
  });

  it('go to whichever replica answers, and are made again where one breaks off', async () => {
    const [one, other] = [await served(), await served()];
    const jobs = channel([nowhere(), one.url, other.url]);
    for (let at = 0; at < 10; at += 1) expect(await jobs.call(ECHO.echo, `${at}`)).toMatchObject({ text: `${at}` });
    expect(one.ended.length).toBeGreaterThan(0);
    expect(other.ended.length).toBeGreaterThan(0);
    const broken = jobs.call(ECHO.echo, 'slow');
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const socket of [...one.taken, ...other.taken]) socket.destroy();
    expect(await broken).toMatchObject({ text: 'slow' });
  });

  it('fail at once where nobody listens, and at their deadline where nobody answers', async () => {
    await expect(channel([nowhere()]).call(ECHO.many, [])).rejects.toMatchObject({ ...away, mayHaveActed: false });
    const frozen = await fixture.socketServer((socket) => socket.pause());
    const started = performance.now();
    await expect(channel([frozen]).call(ECHO.many, [], 500)).rejects.toMatchObject(away);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('leave a replica whose line is frozen', { timeout: 20_000 }, async () => {
    const { url } = await served();
    let passing = true;
    const line = await fixture.socketServer((socket) => {
      const { hostname, port } = new URL(url);
      const there = connect(Number(port), hostname);
      there.on('error', () => socket.destroy());
      socket.on('data', (bytes) => passing && there.write(bytes)).once('close', () => there.destroy());
      there.on('data', (bytes) => passing && socket.write(bytes));
    });
    const jobs = channel([line, url]);
    for (let at = 0; at < 4; at += 1) await jobs.call(ECHO.echo, `${at}`);
    passing = false;
    for (let at = 0; at < 4; at += 1) expect(await jobs.call(ECHO.echo, `${at}`)).toMatchObject({ text: `${at}` });
  });

  it('that have begun are finished by a server that stops', async () => {
    const { url, close, ended } = await served(2_000);
    const jobs = channel([url], { repeatable: [] });
    const begun = jobs.call(ECHO.echo, 'slow');
    await new Promise((resolve) => setTimeout(resolve, 100));
    await close();
    expect(await begun).toMatchObject({ text: 'slow' });
    expect(ended).toEqual(['Echo OK']);
    await expect(jobs.call(ECHO.echo, 'x')).rejects.toMatchObject(away);
  });

  it('share messages under load, each with its own request and its own failure', async () => {
    const { url, ended } = await served();
    const many = new BatchedCalls<Item, Answered, readonly Item[], readonly Answered[]>(channel([url]), {
      method: ECHO.many,
      bytesOf: ({ text }) => text.length,
      requestOf: (items) => items,
      answersIn: (response) => response,
      failureIn: ({ failure }) => failure,
    });
    const texts = Array.from({ length: 100 }, (_, at) => (at === 50 ? 'broken' : `t${at}`));
    const answers = await Promise.allSettled(
      texts.map((text, at) =>
        withCallContext({ requestId: `r${at}`, traceparent: null }, () => many.call((origin) => ({ text, origin }))),
      ),
    );
    expect(answers[50]).toMatchObject({ reason: { name: 'CallFailedError', service: 'jobs', code: 'failed' } });
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(99);
    expect(answers[51]).toMatchObject({ value: { text: 't51 of r51' } });
    await expect.poll(() => ended.length).toBeGreaterThan(0);
    expect(ended.length).toBeLessThan(10);
  });
});
