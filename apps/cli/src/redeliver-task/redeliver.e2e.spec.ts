import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';

const IMAGE = 'https://images.example.com/a.png';

let service: Standalone;
let receiver: Server;
let status = 404;
const received: { readonly id: string; readonly body: string }[] = [];
const lines = async (...words: string[]): Promise<Record<string, unknown>[]> => {
  const env = { HEDDLE_URL: service.url, HEDDLE_DATA: service.dataDir };
  const { code, out, err } = await heddleInProcess(['registry', ...words, '--json'], env);
  if (code !== 0) throw new Error(`exit ${code}: ${err}`);
  const texts = out.split('\n').filter((text) => text !== '');
  return texts.map((text) => JSON.parse(text) as Record<string, unknown>);
};

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      received.push({ id: String(request.headers['webhook-id']), body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const { port } = receiver.address() as AddressInfo;
  service = await startStandalone({ env: { HEDDLE_CALLBACK_ALLOW: `127.0.0.1:${port}` } });
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await service.stop();
});

it('sends the dead callbacks of a task again', async () => {
  const { port } = receiver.address() as AddressInfo;
  const body = {
    model: 'vendorq2-pro',
    start_image: IMAGE,
    image_settings: [{ key_image: IMAGE }, { key_image: IMAGE }],
    callback_url: `http://127.0.0.1:${port}/hook`,
  };
  const made = await fetch(`${service.url}/registry/proxy/videovendor/multiframe`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  const text = await made.text();
  expect([made.status, text]).toEqual([200, text]);
  const { task_id: task } = JSON.parse(text) as { task_id: string };
  await expect.poll(() => lines('queue')).toMatchObject([{ kind: 'delivery' }, { kind: 'delivery' }]);
  const [first] = await lines('queue');
  expect(first).toMatchObject({ node_id: '', version: '', text: `${task}: the receiver answered 404` });
  const ids = new Set(received.map(({ id }) => id));
  expect(ids.size).toBe(2);
  status = 200;
  expect(await lines('redeliver', task)).toMatchObject([
    { status: 'waiting', node_id: '', task_id: task, deliveries: 2 },
  ]);
  await expect.poll(() => received.length).toBe(4);
  expect(new Set(received.map(({ id }) => id))).toEqual(ids);
  expect(await lines('queue')).toEqual([]);
});
