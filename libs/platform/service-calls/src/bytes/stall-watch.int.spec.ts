import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { CallFixture, GATEWAY_TOKEN } from '../calls.fixture.js';

const STALL_MS = 1_500;
/** Sends a call while the server's thread is blocked, and then hangs up or waits for the answer. */
const CALLER = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, request, hangsUp, flag } } = require('node:worker_threads');
  const goOn = () => Atomics.store(new Int32Array(flag), 0, 1);
  const socket = connect(port, '127.0.0.1', () => socket.write(request, () => hangsUp ? socket.destroy() : goOn()));
  socket.on('error', () => undefined).once('data', () => socket.destroy());
  socket.once('close', () => { goOn(); parentPort.postMessage('over'); });
`;

const fixture = new CallFixture();
afterEach(async () => await fixture.close());

it.each([
  { hangsUp: true, carriedOut: 0 },
  { hangsUp: false, carriedOut: 1 },
])(
  'a call that came while the process stood still is carried out $carriedOut times, its caller gone: $hangsUp',
  async (one) => {
    let calls = 0;
    const handle = async () => await Promise.resolve(++calls);
    const server = await fixture.port([{ kind: 'upload', path: '/internal/v1/spec', openTo: ['gateway'], handle }]);
    const { port, host } = new URL(server.url);
    const head = [`POST /internal/v1/spec HTTP/1.1`, `host: ${host}`, `authorization: Bearer ${GATEWAY_TOKEN}`];
    const request = `${head.join('\r\n')}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`;
    const flag = new SharedArrayBuffer(4);
    const caller = new Worker(CALLER, { eval: true, workerData: { port: Number(port), request, flag, ...one } });
    const over = new Promise((resolve) => caller.once('message', resolve));
    await new Promise((resolve) => caller.once('online', resolve));
    // Blocks the only thread of the server: nothing is read meanwhile.
    const until = performance.now() + STALL_MS;
    while (performance.now() < until || Atomics.load(new Int32Array(flag), 0) === 0);
    await over;
    await expect.poll(() => calls).toBe(one.carriedOut);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(calls).toBe(one.carriedOut);
    await caller.terminate();
  },
);
