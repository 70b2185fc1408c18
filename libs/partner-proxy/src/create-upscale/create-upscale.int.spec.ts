import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonFields } from '../create-task/json-fields.js';
import { ACCOUNTS, IMAGE, TestProxy } from '../partner-proxy.fixture.js';
import type { ProxyAnswer } from '../partner-proxy.fixture.js';
import { TaskCreditsFake } from '@heddle/testing-jobs';

const PATH = '/proxy/imagevendor/v1/ai/image-upscaler-precision-v2';
const ledger = new TaskCreditsFake(1_000_000);
let proxy: TestProxy;
beforeAll(async () => {
  proxy = await TestProxy.open({}, ledger);
});
afterAll(() => proxy.close());

async function upscale(body: object): Promise<ProxyAnswer> {
  return await proxy.call('POST', PATH, { body });
}

describe('an upscale', () => {
  it('is taken, followed to its end, and paid by doublings', async () => {
    const created = await upscale({ image: IMAGE, scale_factor: 5, flavor: 'photo', sharpen: 0 });
    const taskId = created.body.data.task_id as string;
    expect(created.body).toEqual({ data: { generated: [], status: 'CREATED', task_id: taskId } });
    const read = (): Promise<ProxyAnswer> => proxy.call('GET', `${PATH}/${taskId}`);
    const { body } = await proxy.until(read, ({ data }) => data.status === 'COMPLETED');
    expect(Object.keys(body.data).sort()).toEqual(['generated', 'status', 'task_id']);
    await proxy.until(read, () => ledger.charged.has(taskId));
    expect(ledger.charged.get(taskId)).toBe(60);
  });

  it('that fails costs nothing', async () => {
    const { body } = await upscale({ image: `${IMAGE}?sim:fail` });
    const taskId = body.data.task_id as string;
    const read = (): Promise<ProxyAnswer> => proxy.call('GET', `${PATH}/${taskId}`);
    await proxy.until(read, ({ data }) => data.status === 'FAILED' && ledger.charged.has(taskId));
    expect(ledger.charged.get(taskId)).toBe(0);
  });

  it('is told every problem at once, in the form of the registry', async () => {
    const answer = await upscale({ scale_factor: 17, flavor: 'x', sharpen: 101, smart_grain: -1, ultra_detail: '5' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    for (const field of ['image', 'scale_factor', 'flavor', 'sharpen', 'smart_grain', 'ultra_detail'])
      expect(answer.body.message).toContain(`${field}: `);
  });

  it('has no list, and no task of another account', async () => {
    const { body } = await upscale({ image: IMAGE });
    const foreign = await proxy.call('GET', `${PATH}/${body.data.task_id}`, { key: 'key-bob' });
    const unknown = await proxy.call('GET', `${PATH}/00000000-0000-4000-8000-000000000000`);
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    expect((await proxy.call('GET', PATH)).status).toBe(405);
  });

  it('is at no path with a slash at the end: 404 for every method', async () => {
    for (const method of ['GET', 'POST', 'PUT'])
      expect([method, (await proxy.call(method, `${PATH}/`)).status]).toEqual([method, 404]);
  });

  it('is asked about without a credential: 401 in the form of the registry', async () => {
    const answer = await proxy.call('GET', `${PATH}/00000000-0000-4000-8000-000000000000`, { key: '' });
    expect(answer).toMatchObject({ status: 401, body: { error: 'unauthorized', message: expect.any(String) } });
  });

  it.each(['not-a-uuid', '..%2F..%2Fmystic', '%2e%2e%2fmystic', `00000000-0000-4000-8000-00000000000g`])(
    'with the id %s is unknown, in the same words',
    async (id) => {
      const unknown = await proxy.call('GET', `${PATH}/00000000-0000-4000-8000-000000000000`);
      const answer = await proxy.call('GET', `${PATH}/${id}`);
      expect([answer.status, answer.text]).toEqual([404, unknown.text]);
    },
  );

  it('is not made with an image or a callback in a private network', async () => {
    for (const url of [
      'https://169.254.169.254/',
      'https://0x7f000001/',
      'https://[::ffff:10.0.0.1]/',
      'file:///etc/passwd',
    ]) {
      const { status, body } = await upscale({ image: url, webhook_url: url });
      expect([status, body.error]).toEqual([400, 'invalid_request']);
      for (const field of ['image', 'webhook_url']) expect(body.message).toContain(`${field}: `);
    }
  });

  it.each([
    ['lists in lists', `{"a":${'['.repeat(10_000_000)}${']'.repeat(10_000_000)}}`],
    ['brackets that are never closed', '['.repeat(20_000_000)],
    ['many lists', `{"image":"${IMAGE}","a":[${'{},'.repeat(6_000_000)}1]}`],
    ['many keys', `{${Array.from({ length: 1_000_000 }, (_, at) => `"${at}":1,`).join('')}"image":"${IMAGE}"}`],
    ['a long number', `{"image":"${IMAGE}","scale_factor":${'9'.repeat(20_000_000)}}`],
  ])('is refused before it is built where it holds %s', async (_, body) => {
    const before = process.threadCpuUsage();
    expect(() => jsonFields(Buffer.from(body))).toThrow('The JSON of the body is too complex');
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(500);
    expect(await proxy.call('POST', PATH, { body })).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('is refused over 20 MiB, and not below', async () => {
    const pad = (bytes: number): string => JSON.stringify({ image: IMAGE, pad: 'x'.repeat(bytes) });
    const rest = 20 * 1_048_576 - pad(0).length;
    const over = await proxy.call('POST', PATH, { body: pad(rest + 1) });
    expect(over).toMatchObject({ status: 413, body: { message: expect.stringContaining('20 MiB') } });
    expect((await proxy.call('POST', PATH, { body: pad(rest) })).status).toBe(200);
  });
});

it('nothing that is refused, and no unknown id, reaches a vendor', async () => {
  const [poor, idle] = [new TaskCreditsFake(0), 'heddle_proxy_vendor_calls_total{'];
  const own = await TestProxy.open({}, poor);
  try {
    const unknown = '00000000-0000-4000-8000-000000000000';
    const read = (id: string): Promise<ProxyAnswer> => own.call('GET', `${PATH}/${id}`);
    const refused = await Promise.all([
      ...[unknown, 'not-a-uuid', '..%2F..%2Fmystic'].flatMap((id) => [read(id), own.readVideo(id)]),
      own.call('POST', PATH, { body: { image: 'https://10.0.0.1/' } }),
      own.call('POST', PATH, { body: { image: IMAGE, scale_factor: 17 } }),
      own.call('POST', PATH, { body: { image: IMAGE } }),
      own.call('POST', PATH, { key: '', body: { image: IMAGE } }),
      own.video(),
    ]);
    expect(refused.map(({ status }) => status).sort()).toEqual([
      400,
      400,
      401,
      402,
      402,
      ...Array<number>(6).fill(404),
    ]);
    expect(await own.metrics.metrics()).not.toContain(idle);
    poor.grant(ACCOUNTS['key-ann'], 1_000);
    expect((await own.call('POST', PATH, { body: { image: IMAGE } })).status).toBe(200);
    expect(await own.metrics.metrics()).toContain(idle);
  } finally {
    await own.close();
  }
});
