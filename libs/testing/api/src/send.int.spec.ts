import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { send } from './send.js';

/** Closes each connection at its second request, without an answer. */
const closing = new Map<object, number>();
let heard: string[] = [];
const server = createServer((request, response) => {
  const place = (closing.get(request.socket) ?? 0) + 1;
  closing.set(request.socket, place);
  heard.push(`${request.method} ${place}`);
  if (place === 2 || request.url === '/never') request.socket.destroy();
  else response.end('answered');
});
let origin: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(async () => {
  await send(origin, { method: 'GET', target: '/' });
  heard = [];
});

it('repeats a safe request once if its connection, used before, was closed without an answer', async () => {
  expect(await send(origin, { method: 'GET', target: '/' })).toMatchObject({ status: 200 });
  expect(heard).toEqual(['GET 2', 'GET 1']);
});

it('repeats nothing that may change something', async () => {
  await expect(send(origin, { method: 'POST', target: '/' })).rejects.toThrow('had been used');
  expect(heard).toEqual(['POST 2']);
});

it('gives up when the new connection is closed, too', async () => {
  await expect(send(origin, { method: 'GET', target: '/never' })).rejects.toThrow('GET /never: socket hang up');
  expect(heard).toEqual(['GET 2', 'GET 1']);
});
