import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNTS, IMAGE, MULTIFRAME, TestProxy } from '../partner-proxy.fixture.js';
import { TaskCreditsFake } from '@heddle/testing-jobs';

const PRICE = 2 * 32 + 10 * 11;
const ANN = ACCOUNTS['key-ann'];
const ledger = new TaskCreditsFake(1_000_000);
let proxy: TestProxy;
beforeAll(async () => {
  proxy = await TestProxy.open({}, ledger);
});
afterAll(() => proxy.close());

describe('a multiframe', () => {
  it('is taken, followed to its success, and paid once', async () => {
    const created = await proxy.video({ payload: 'x', resolution: '720p' });
    expect(created).toMatchObject({
      status: 200,
      body: {
        ...MULTIFRAME,
        image_settings: [
          { key_image: IMAGE, duration: 5, prompt: '' },
          { key_image: IMAGE, duration: 5, prompt: 'a slow turn' },
        ],
        state: 'created',
        credits: PRICE,
        payload: 'x',
        resolution: '720p',
      },
    });
    expect(created.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const taskId = created.body.task_id as string;
    const first = await proxy.readVideo(taskId);
    expect(first.body).toMatchObject({ id: taskId, err_code: '', credits: PRICE, payload: 'x' });
    const { body } = await proxy.until(
      () => proxy.readVideo(taskId),
      ({ state }) => state === 'success',
    );
    expect(body.creations).toHaveLength(1);
    expect(body.creations[0].url).toMatch(/^https:/);
    await proxy.until(
      () => proxy.readVideo(taskId),
      () => ledger.charged.has(taskId),
    );
    expect(ledger.charged.get(taskId)).toBe(PRICE);
  });

  it('that fails costs nothing', async () => {
    const { body } = await proxy.video({
      image_settings: [{ key_image: IMAGE }, { key_image: IMAGE, prompt: 'sim:fail' }],
    });
    const failed = await proxy.until(
      () => proxy.readVideo(body.task_id),
      ({ state }) => state === 'failed',
    );
    expect(failed.body).toMatchObject({ err_code: 'content_not_allowed', credits: 0, creations: [] });
    await proxy.until(
      () => proxy.readVideo(body.task_id),
      () => ledger.charged.has(body.task_id),
    );
    expect(ledger.charged.get(body.task_id)).toBe(0);
  });

  it.each([
    ['sim:401', 502, null],
    ['sim:500', 502, null],
    ['sim:429', 429, '7'],
    ['sim:hang', 504, null],
  ])('gets the fault %s as %d in our words, and pays nothing', async (prompt, status, retryAfter) => {
    const before = ledger.balanceOf(ANN);
    const answer = await proxy.video({ image_settings: [{ key_image: IMAGE }, { key_image: IMAGE, prompt }] });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('retry-after')).toBe(retryAfter);
    expect(answer.body).toEqual({ message: expect.any(String), details: [expect.any(String)] });
    expect(answer.text).not.toContain(proxy.vendorKey);
    expect(ledger.balanceOf(ANN)).toBe(before);
  });

  it('of another account, of no account and of another form is unknown, in one body', async () => {
    const { body } = await proxy.video();
    const answers = await Promise.all([
      proxy.readVideo(body.task_id, 'key-bob'),
      proxy.readVideo('00000000-0000-4000-8000-000000000000'),
      proxy.readVideo('not-a-uuid'),
      proxy.readVideo('..%2F..%2Fmystic'),
    ]);
    for (const answer of answers) expect([answer.status, answer.text]).toEqual([404, answers[0].text]);
  });

  it('without a good key is refused before its body is read', async () => {
    const body = 'x'.repeat(30);
    for (const key of ['', 'key-eve', 'hdr_0123456789abcdef_x_00000000']) {
      const answer = await proxy.call('POST', '/proxy/videovendor/multiframe', { key, body });
      expect(answer).toMatchObject({ status: 401, body: { details: [expect.any(String)] } });
    }
  });

  it('without enough credits makes no call', async () => {
    const rest = ledger.balanceOf(ANN) - (PRICE - 1);
    ledger.grant(ANN, -rest);
    const answer = await proxy.video({}, { 'idempotency-key': 'poor' });
    expect([answer.status, answer.body.message]).toEqual([402, expect.stringContaining(`${PRICE} credits`)]);
    ledger.grant(ANN, rest);
    expect((await proxy.video({}, { 'idempotency-key': 'poor' })).status).toBe(200);
    expect((await proxy.video({}, { 'idempotency-key': 'poor' })).status).toBe(422);
  });

  it('is refused over 20 MiB, and not below', async () => {
    const pad = (bytes: number): string => JSON.stringify({ ...MULTIFRAME, pad: 'x'.repeat(bytes) });
    const frame = pad(0).length;
    const path = '/proxy/videovendor/multiframe';
    const over = await proxy.call('POST', path, { body: pad(20 * 1_048_576 - frame + 1) });
    expect(over).toMatchObject({ status: 413, body: { details: [expect.stringContaining('20 MiB')] } });
    expect((await proxy.call('POST', path, { body: pad(20 * 1_048_576 - frame) })).status).toBe(200);
  });

  it.each([
    ['POST', '/proxy/videovendor/multiframe', 'no json', 400],
    ['POST', '/proxy/videovendor/multiframe', '[]', 400],
    ['GET', '/proxy/videovendor/nowhere', undefined, 404],
    ['DELETE', '/proxy/videovendor/multiframe', undefined, 405],
  ])('has its form of errors: %s %s', async (method, path, body, status) => {
    const answer = await proxy.call(method, path, { body });
    expect(answer).toMatchObject({ status, body: { message: expect.any(String), details: [expect.any(String)] } });
  });

  it('is not made with a callback into a private network', async () => {
    const urls = [
      'http://169.254.169.254/',
      'https://[::ffff:10.0.0.1]/',
      'https://0x7f000001/',
      'https://u:p@host.example/',
    ];
    for (const callback_url of urls) {
      const answer = await proxy.video({ callback_url });
      expect(answer).toMatchObject({ status: 400, body: { details: [expect.stringContaining('callback_url: ')] } });
    }
  });

  it.each([
    ['https://10.0.0.1/', 'must lead to a public address'],
    ['https://hooks.lan/', 'must name a host of the public Internet'],
    ['https://hooks.example.com:25/', 'must use port 80, 443, or a port from 1024'],
    ['http://hooks.example.com/', 'must be an https URL'],
  ])('names the setting that allows the callback %s', async (callback_url, rule) => {
    const { body } = await proxy.video({ callback_url });
    expect(body.details).toEqual([
      `callback_url: ${rule}, unless the operator lists its host:port in HEDDLE_CALLBACK_ALLOW`,
    ]);
  });

  it.each(['ftp://hooks.example.com/', 'https://u:p@hooks.example.com/'])(
    'names no setting where none helps: %s',
    async (callback_url) => {
      expect((await proxy.video({ callback_url })).text).not.toContain('HEDDLE_CALLBACK_ALLOW');
    },
  );

  it('is not made with an image in a private network', async () => {
    const urls = [
      'http://169.254.169.254/a.png',
      'http://2130706433/',
      'https://[::ffff:10.0.0.1]/',
      'file:///etc/passwd',
    ];
    for (const url of urls) {
      const answer = await proxy.video({
        start_image: url,
        image_settings: [{ key_image: IMAGE }, { key_image: url }],
      });
      const details = [
        expect.stringMatching(/^start_image: /),
        expect.stringMatching(/^image_settings\[1\]\.key_image: /),
      ];
      expect(answer).toMatchObject({ status: 400, body: { details } });
    }
  });
});
