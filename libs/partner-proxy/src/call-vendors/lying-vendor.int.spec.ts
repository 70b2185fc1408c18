import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ACCOUNTS, MULTIFRAME, TestProxy } from '../partner-proxy.fixture.js';
import { TaskCreditsFake } from '@heddle/testing-jobs';

const ANN = ACCOUNTS['key-ann'];
const SECRET = 'a text of the vendor that nobody may see';
let answer: (response: ServerResponse) => void;
let calls = 0;
let seen: { readonly headers: object; readonly body: string } = { headers: {}, body: '' };
let server: Server;
let proxy: TestProxy;
let vendorUrl: string;
const ledger = new TaskCreditsFake(1_000_000);

beforeAll(async () => {
  server = createServer((request, response) => {
    calls += 1;
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      seen = { headers: request.headers, body };
      answer(response);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  vendorUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy = await TestProxy.open({ models: { 'vendorq2-pro': 'viduq2-pro' } }, ledger, vendorUrl);
});
afterAll(async () => {
  await proxy.close();
  server.closeAllConnections();
  server.close();
});

function good(response: ServerResponse): void {
  response.end(JSON.stringify({ task_id: 'vendor-task-1', state: 'created' }));
}

/** Counts what the caller takes, so that a spec sees when it stops reading. */
let poured = 0;
function pour(response: ServerResponse, mebibytes: number): void {
  poured = 0;
  const chunk = Buffer.alloc(1_048_576, 0x20);
  const next = (): void => {
    if (response.destroyed || poured === mebibytes) return;
    poured += 1;
    response.write(chunk, next);
  };
  next();
}

/** The next read asks the vendor, since the pause between two polls is over. */
async function eventuallyDue(): Promise<void> {
  await new Promise((done) => setTimeout(done, 150));
}

describe('a vendor that does not keep to its protocol', () => {
  it.each<[string, (response: ServerResponse) => void, number]>([
    ['400 with its own text', (response) => response.writeHead(400).end(JSON.stringify({ message: SECRET })), 400],
    ['403', (response) => response.writeHead(403).end(SECRET), 502],
    ['its own lack of credits', (response) => response.writeHead(400).end('{"reason":"CreditInsufficient"}'), 502],
    ['HTML', (response) => response.end(`<html>${SECRET}</html>`), 502],
    ['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end(), 502],
    [
      'another protocol',
      (response) =>
        response.socket!.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      502,
    ],
    ['no task id', (response) => response.end('{"state":"created"}'), 502],
    ['a path as task id', (response) => response.end('{"task_id":"../../mystic"}'), 502],
    ['over 1 MiB', (response) => response.end(JSON.stringify({ task_id: 'x', pad: 'x'.repeat(1_048_577) })), 502],
    ['100 MiB', (response) => pour(response, 100), 502],
    ['a task of another model', (response) => response.end('{"task_id":"x","model":"viduq3-pro"}'), 502],
    ['nothing, ever', () => undefined, 504],
    ['nothing, and hangs up', (response) => response.destroy(), 504],
    [
      'half of its answer',
      (response) => void (response.write('{"task_id"'), setTimeout(() => response.destroy(), 50)),
      504,
    ],
  ])('gives %s', async (_name, given, status) => {
    answer = good;
    expect((await proxy.video()).status).toBe(200);
    const before = { balance: ledger.balanceOf(ANN), calls };
    answer = given;
    const refused = await proxy.video();
    expect([refused.status, refused.text.includes(SECRET)]).toEqual([status, false]);
    expect(refused.body.details).toHaveLength(1);
    expect({ balance: ledger.balanceOf(ANN), calls }).toEqual({ balance: before.balance, calls: before.calls + 1 });
  });

  it.each<[number, string, RegExp]>([
    [401, SECRET, /^the video vendor refuses our key with 401: check HEDDLE_VIDEOVENDOR_KEY$/],
    [403, SECRET, /^the video vendor refuses our key with 403: check HEDDLE_VIDEOVENDOR_KEY$/],
    [402, SECRET, /^the video vendor refuses our account with 402: /],
    [400, '{"reason":"CreditInsufficient"}', /^the video vendor refuses our account with 400: /],
  ])('that answers %i to us is told to the operator, once a minute', async (status, text, line) => {
    const alone = await TestProxy.open({}, ledger, vendorUrl);
    onTestFinished(() => alone.close());
    answer = (response) => response.writeHead(status).end(text);
    for (let n = 0; n < 3; n += 1) expect((await alone.video()).status).toBe(502);
    expect(alone.errors).toEqual([expect.stringMatching(line)]);
    expect(await alone.metrics.metrics()).toMatch(/heddle_proxy_vendor_calls_total\{[^}]*outcome="account"[^}]*\} 3/);
  });

  it('is not read to the end of 100 MiB', async () => {
    answer = (response) => pour(response, 100);
    expect((await proxy.video()).status).toBe(502);
    // Besides what the sockets hold.
    expect(poured).toBeLessThan(20);
  });

  it.each<[string, (response: ServerResponse) => void, number]>([
    ['HTML', (response) => response.end('<html></html>'), 502],
    ['100 MiB', (response) => pour(response, 100), 502],
    ['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end(), 502],
    ['nothing, ever', () => undefined, 504],
    ['an unknown state', (response) => response.end('{"state":"paid"}'), 502],
    ['a success without a video', (response) => response.end('{"state":"success","creations":[]}'), 502],
    [
      'a video at no web address',
      (response) => response.end('{"state":"success","creations":[{"id":"1","url":"javascript:alert(1)"}]}'),
      502,
    ],
  ])('that is asked for a state and gives %s leaves the task as it was', async (_name, given, status) => {
    answer = good;
    const { task_id: taskId } = (await proxy.video()).body as { task_id: string };
    await eventuallyDue();
    answer = given;
    expect(await proxy.readVideo(taskId)).toMatchObject({ status, body: { details: [expect.any(String)] } });
    answer = (response) => response.end('{"state":"processing"}');
    const { body } = await proxy.until(
      () => proxy.readVideo(taskId),
      ({ state }) => state === 'processing',
    );
    expect(body.err_code).toBe('');
    expect(ledger.charged.has(taskId)).toBe(false);
  });

  it('may have made a task when it answers 5xx: the key of the request stays claimed', async () => {
    answer = (response) => response.writeHead(500).end();
    expect((await proxy.video({}, { 'idempotency-key': 'maybe' })).status).toBe(502);
    answer = good;
    expect((await proxy.video({}, { 'idempotency-key': 'maybe' })).status).toBe(422);
    expect((await proxy.video({ model: 'none' }, { 'idempotency-key': 'maybe' })).status).toBe(422);
    const unreadable = { body: '{"model":', headers: { 'idempotency-key': 'maybe' } };
    expect((await proxy.call('POST', '/proxy/videovendor/multiframe', unreadable)).status).toBe(422);
    answer = (response) => response.writeHead(400).end('{}');
    expect((await proxy.video({}, { 'idempotency-key': 'never' })).status).toBe(400);
    answer = good;
    expect((await proxy.video({}, { 'idempotency-key': 'never' })).status).toBe(200);
  });

  it('gets an image of bare base64 as a data URI that names its type', async () => {
    answer = good;
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61', 'hex').toString(
      'base64',
    );
    const { status, body } = await proxy.video({ start_image: png });
    expect([status, body.start_image]).toEqual([200, png]);
    expect((JSON.parse(seen.body) as { start_image: string }).start_image).toBe(`data:image/png;base64,${png}`);
  });

  it('gets validated fields, its key, a callback of ours, and nothing of the caller', async () => {
    answer = good;
    const headers = { 'x-api-key': 'mine', cookie: 'a=b', 'x-forwarded-for': '192.0.2.1' };
    const callback_url = 'https://receiver.example.com/hook';
    expect((await proxy.video({ callback_url, payload: 'kept', unknown: 'field' }, headers)).status).toBe(200);
    expect(Object.keys(seen.headers).sort()).toEqual(
      ['accept', 'authorization', 'connection', 'content-length', 'content-type', 'host'].sort(),
    );
    expect(seen.headers).toMatchObject({ authorization: `Token ${proxy.vendorKey}` });
    const body = JSON.parse(seen.body) as Record<string, unknown>;
    expect(Object.keys(body).sort()).toEqual(['callback_url', 'image_settings', 'model', 'resolution', 'start_image']);
    expect(body['model']).toBe('viduq2-pro');
    expect(body['callback_url']).toMatch(new RegExp(`^${proxy.url}/proxy/videovendor/callbacks/[0-9a-f]{32}$`));
  });

  it('gets no callback URL that begins with a host of the caller', async () => {
    answer = good;
    const post = async (host: string): Promise<string | undefined> => {
      const headers = { authorization: 'Bearer key-ann', host };
      const { status } = await proxy.post('/proxy/videovendor/multiframe', headers, JSON.stringify(MULTIFRAME));
      expect(status).toBe(200);
      return (JSON.parse(seen.body) as { callback_url?: string }).callback_url;
    };
    expect(await post('evil.example.com')).toBeUndefined();
    expect(await post('127.0.0.1:5432')).toBeUndefined();
    expect(await post(`127.0.0.1:${new URL(proxy.url).port}`)).toContain(`${proxy.url}/proxy/`);
  });

  it('is left alone after 5 failures in a row, and nothing is charged', async () => {
    answer = good;
    await proxy.video();
    answer = (response) => response.writeHead(500).end();
    const before = { balance: ledger.balanceOf(ANN), calls };
    const statuses: number[] = [];
    for (let n = 0; n < 7; n += 1) statuses.push((await proxy.video()).status);
    expect(statuses).toEqual([502, 502, 502, 502, 502, 503, 503]);
    const resting = await proxy.video();
    expect(Number(resting.headers.get('retry-after'))).toBeGreaterThan(0);
    expect({ balance: ledger.balanceOf(ANN), calls }).toEqual({ balance: before.balance, calls: before.calls + 5 });
  });
});
