import 'reflect-metadata';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, it } from 'vitest';
import { CallFixture, GATEWAY_TOKEN } from './calls.fixture.js';
import { GrpcController } from './serve/served-context.js';

const STALL_MS = 1_500;
const PATH = '/heddle.test.v1.CountService/Count';
/** Calls while the server's thread is blocked. Then it closes its connection, as a gateway does that gets no ping back, or waits. */
const CALLER = `
  const { connect } = require('node:http2');
  const { parentPort, workerData: { url, path, token, hangsUp, flag } } = require('node:worker_threads');
  const over = (outcome) => { Atomics.store(new Int32Array(flag), 0, 1); parentPort.postMessage(outcome); };
  const session = connect(url).on('error', () => undefined);
  session.once('remoteSettings', () => parentPort.postMessage('ready'));
  parentPort.once('message', () => {
    const head = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' };
    const call = session.request({ ...head, authorization: 'Bearer ' + token }).on('error', () => undefined);
    call.end(Buffer.alloc(5));
    if (hangsUp) setTimeout(() => session.once('close', () => over('hung up')).destroy(), 300);
    else call.once('response', () => over('got an answer'));
  });
`;

const COUNT = {
  count: {
    path: PATH,
    requestStream: false as const,
    responseStream: false as const,
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: () => 'a request',
    responseSerialize: () => Buffer.alloc(0),
    responseDeserialize: () => 'an answer',
  },
};

let calls = 0;

@GrpcController(COUNT)
class CountController {
  async count(): Promise<null> {
    calls += 1;
    return await Promise.resolve(null);
  }
}

const fixture = new CallFixture();
afterAll(async () => await fixture.close());

it.each([
  { hangsUp: true, outcome: 'hung up', carriedOut: 0 },
  { hangsUp: false, outcome: 'got an answer', carriedOut: 1 },
])(
  'a gRPC call that came while the process stood still is carried out $carriedOut times: its caller $outcome',
  async (one) => {
    calls = 0;
    const rules = { count: { openTo: ['gateway'] } };
    const context = { definition: COUNT, rules, controller: CountController, providers: [] };
    const server = await fixture.port([], { contexts: [context] });
    const flag = new SharedArrayBuffer(4);
    const workerData = { url: server.url, path: PATH, token: GATEWAY_TOKEN, flag, hangsUp: one.hangsUp };
    const caller = new Worker(CALLER, { eval: true, workerData });
    const said = (): Promise<unknown> => new Promise((resolve) => caller.once('message', resolve));
    expect(await said()).toBe('ready');
    const outcome = said();
    caller.postMessage('call');
    // Blocks the only thread of the server: nothing is read meanwhile.
    const until = performance.now() + STALL_MS;
    while (performance.now() < until || (one.hangsUp && Atomics.load(new Int32Array(flag), 0) === 0));
    expect(await outcome).toBe(one.outcome);
    // Time in which a call that was admitted would be carried out.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(calls).toBe(one.carriedOut);
    await caller.terminate();
  },
);
