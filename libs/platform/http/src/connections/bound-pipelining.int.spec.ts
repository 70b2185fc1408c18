import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { CONNECTION_DEFAULTS, ConnectionGuard } from './connection-guard.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: h\r\n\r\n';

describe('requests that are sent one behind the other', () => {
  const waiting: ServerResponse[] = [];
  const refused: string[] = [];
  const server = createServer((_, response) => waiting.push(response));
  new ConnectionGuard(CONNECTION_DEFAULTS, (why) => refused.push(why)).watch(server);
  afterEach(() => {
    waiting.length = 0;
    refused.length = 0;
    server.closeAllConnections();
    server.close();
  });

  const client = async () => {
    if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
    return connect((server.address() as AddressInfo).port, '127.0.0.1');
  };

  it('are answered up to a hundred at once, any number of times', async () => {
    const socket = await client();
    let answers = 0;
    socket.on('data', (bytes) => (answers += bytes.toString().split('HTTP/1.1 200').length - 1));
    for (let round = 1; round <= 3; round += 1) {
      socket.write(REQUEST.repeat(100));
      await expect.poll(() => waiting.length).toBe(100);
      for (const response of waiting.splice(0)) response.end('a');
      await expect.poll(() => answers).toBe(round * 100);
    }
    expect(refused).toEqual([]);
  });

  it('end their connection beyond that, once and with a count', async () => {
    const socket = await client();
    socket.on('error', () => undefined).resume();
    socket.write(REQUEST.repeat(20_000));
    await new Promise((closed) => socket.once('close', closed));
    expect(refused).toEqual(['pipelined']);
    // The server reads what arrived together with the hundredth request, and nothing after it.
    expect(waiting.length).toBeLessThan(5_000);
  });
});
