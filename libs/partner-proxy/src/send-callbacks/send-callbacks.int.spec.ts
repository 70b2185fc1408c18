import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secret } from '@heddle/contracts-messages';
import type { AccountId } from '@heddle/contracts-messages';
import { createLogger, MetricsRegistry } from '@heddle/platform-telemetry';
import { webhookFault, webhookKey } from '@heddle/platform-webhooks';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TargetUrls } from '../create-task/target-urls.js';
import { TestProxy } from '../partner-proxy.fixture.js';
import { ProxyLogger } from '../proxy-logger.js';
import { ProxyMetrics } from '../proxy-metrics.js';
import { LocalProxyAdmin } from '../redeliver-task/local-proxy-admin.js';
import { PARTNER_PROXY_MIGRATIONS, PARTNER_PROXY_ROLE } from '../proxy-schema/proxy-migrations.js';
import { PartnerProxySettings } from '../settings.js';
import { WebhookSecrets } from '../webhook-secret/webhook-secrets.js';
import { Deliveries } from './deliveries.js';
import { DeliveryAttempts } from './delivery-attempts.js';
import { DeliveryLoop } from './delivery-loop.js';
import { DeliverySender } from './delivery-sender.js';

const ACCOUNT = randomUUID() as AccountId;
const WAITS = [5_000, 30_000];

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

describe('a delivery', () => {
  const received: Received[] = [];
  /** Statuses of the next answers of a path; `null` hangs. 200 when there are none. */
  const answers = new Map<string, (number | null)[]>();
  let test: TestDatabase;
  let pool: Pool;
  let receiver: Server;
  let origin: string;
  let secrets: WebhookSecrets;
  const loops: DeliveryLoop[] = [];

  beforeAll(async () => {
    test = await freshDatabase({ migrations: [PARTNER_PROXY_MIGRATIONS] });
    pool = test.pool(PARTNER_PROXY_ROLE);
    receiver = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        const path = request.url ?? '';
        received.push({ path, headers: request.headers, body });
        const status = answers.get(path)?.shift();
        if (status !== null) response.writeHead(status ?? 200, { location: `${origin}/elsewhere` }).end();
      });
    });
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    secrets = new WebhookSecrets(pool, new Secret('pepper-of-a-test'));
  });
  beforeEach(async () => {
    received.length = 0;
    answers.clear();
    await test.owner.query('delete from partner_proxy.delivery');
  });
  afterEach(async () => {
    receiver.closeAllConnections();
    await Promise.all(loops.splice(0).map((loop) => loop.stop()));
  });
  afterAll(async () => {
    receiver.close();
    await test.drop();
  });

  const loop = (allow: readonly string[] = [new URL(origin).host], retryMs = WAITS): DeliveryLoop => {
    const settings = new PartnerProxySettings({ callbackAllow: allow, retryMs });
    const sender = new DeliverySender(secrets, new TargetUrls(settings));
    const deliveries = new Deliveries(pool);
    const attempts = new DeliveryAttempts(deliveries, sender, settings, new ProxyMetrics(new MetricsRegistry()));
    const made = new DeliveryLoop(deliveries, attempts, new ProxyLogger(createLogger('silent')));
    loops.push(made);
    return made;
  };
  const waits = async (path: string, accountId = ACCOUNT, url = `${origin}${path}`): Promise<string> => {
    const [taskId, deliveryId] = [randomUUID(), randomUUID()];
    const token = randomUUID().replaceAll('-', '');
    await pool.query(
      `insert into partner_proxy.task (task_id, account_id, vendor, step, state, price, callback_token)
       values ($1, $2, 'video', 'over', 'success', 0, $3)`,
      [taskId, accountId, token],
    );
    await pool.query(
      `insert into partner_proxy.delivery (delivery_id, task_id, account_id, url, body, status)
       values ($1, $2, $3, $4, $5, 'waiting')`,
      [deliveryId, taskId, accountId, url, JSON.stringify({ id: taskId, state: 'success', text: 'ü' })],
    );
    return deliveryId;
  };
  const row = async (deliveryId: string) => {
    const sql = 'select status, attempts, problem from partner_proxy.delivery where delivery_id = $1';
    return (await pool.query<{ status: string; attempts: number; problem: string }>(sql, [deliveryId])).rows[0]!;
  };
  const at = (path: string) => received.filter((one) => one.path === path);

  it('is signed by the key of its account, which another account does not have', async () => {
    const id = await waits('/signed');
    loop().look();
    await expect.poll(() => row(id)).toEqual({ status: 'delivered', attempts: 1, problem: '' });
    const { headers, body } = at('/signed')[0]!;
    const now = Math.floor(Date.now() / 1_000);
    expect(webhookFault(headers, body, await secrets.keyOf(ACCOUNT), now)).toBeNull();
    expect(webhookFault(headers, `${body} `, await secrets.keyOf(ACCOUNT), now)).toBe('signature');
    expect(webhookFault(headers, body, await secrets.keyOf(randomUUID() as AccountId), now)).toBe('signature');
    expect(headers['webhook-id']).toBe(id);
    expect(headers['content-type']).toBe('application/json');
  });

  it('is repeated on the schedule with the same id, then dead', async () => {
    answers.set('/faulty', [500, 429, 503]);
    const id = await waits('/faulty');
    const deliverer = loop();
    deliverer.look();
    await expect
      .poll(() => row(id))
      .toMatchObject({ status: 'waiting', attempts: 1, problem: 'the receiver answered 500' });
    await test.advanceClock(4_000);
    deliverer.look();
    await new Promise((done) => setTimeout(done, 100));
    expect(at('/faulty')).toHaveLength(1);
    await test.advanceClock(1_000);
    deliverer.look();
    await expect.poll(async () => (await row(id)).problem).toBe('the receiver answered 429');
    await test.advanceClock(30_000);
    deliverer.look();
    await expect.poll(() => row(id)).toEqual({ status: 'dead', attempts: 3, problem: 'the receiver answered 503' });
    const sent = at('/faulty');
    expect(new Set(sent.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  });

  it('wakes up by itself when it is due', async () => {
    answers.set('/again', [500]);
    const id = await waits('/again');
    loop(undefined, [200]).look();
    await expect.poll(() => row(id)).toEqual({ status: 'delivered', attempts: 2, problem: '' });
  });

  it('follows no redirect, and is dead at once for an answer that will not change', async () => {
    answers.set('/moved', [307]);
    answers.set('/gone', [410]);
    const ids = [await waits('/moved'), await waits('/gone')];
    loop().look();
    for (const id of ids) await expect.poll(async () => (await row(id)).status).toBe('dead');
    expect(received.map(({ path }) => path).sort()).toEqual(['/gone', '/moved']);
  });

  it('is dead without a connection where its URL may not be called any more', async () => {
    const id = await waits('/inside');
    const named = await waits('/x', ACCOUNT, 'https://localhost:1024/x');
    loop([]).look();
    const unless = 'unless the operator lists its host:port in HEDDLE_CALLBACK_ALLOW';
    const problem = `not sent: the URL must be an https URL, ${unless}`;
    await expect.poll(() => row(id)).toEqual({ status: 'dead', attempts: 1, problem });
    await expect.poll(async () => (await row(named)).problem).toMatch(/^not sent/);
    expect(received).toEqual([]);
  });

  it('is made once by any number of processes, and again when one is lost in between', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, (_, at) => waits(`/many/${at}`)));
    for (const one of [loop(), loop(), loop()]) one.look();
    await expect
      .poll(async () => (await pool.query(`select from partner_proxy.delivery where status = 'delivered'`)).rowCount)
      .toBe(40);
    expect(received).toHaveLength(40);
    // A process claims and is gone: its lease ends, and another one delivers.
    const id = await waits('/lost');
    const [lost] = await new Deliveries(pool).claim(8, [], 30_000);
    const other = loop();
    other.look();
    await new Promise((done) => setTimeout(done, 100));
    expect(at('/lost')).toHaveLength(0);
    await test.advanceClock(30_000);
    other.look();
    await expect.poll(() => row(id)).toEqual({ status: 'delivered', attempts: 2, problem: '' });
    // What the lost process says after its lease changes nothing.
    await new Deliveries(pool).decide(lost!, { next: 'dead', problem: 'late' });
    expect((await row(id)).status).toBe('delivered');
    expect(ids).toHaveLength(40);
  });

  it('of one account with slow receivers holds up no other', async () => {
    const slow = randomUUID() as AccountId;
    const paths = Array.from({ length: 30 }, (_, at) => `/slow/${at}`);
    for (const path of paths) answers.set(path, [null]);
    await Promise.all(paths.map((path) => waits(path, slow)));
    const deliverer = loop();
    deliverer.look();
    await expect.poll(() => received.length).toBeGreaterThanOrEqual(8);
    const id = await waits('/quick');
    deliverer.look();
    await expect.poll(() => row(id)).toMatchObject({ status: 'delivered' });
    expect(received.filter(({ path }) => path.startsWith('/slow')).length).toBeLessThan(16);
  });

  it('that is dead is made again when the operator says so, with all its attempts', async () => {
    answers.set('/mended', [404, 500]);
    const id = await waits('/mended');
    const deliverer = loop();
    deliverer.look();
    await expect.poll(async () => (await row(id)).status).toBe('dead');
    const sql = 'select task_id from partner_proxy.delivery where delivery_id = $1';
    const taskId = (await pool.query<{ task_id: string }>(sql, [id])).rows[0]!.task_id;
    const operator = new LocalProxyAdmin(pool, () => deliverer.look());
    const part = { afterMs: 0, afterId: '00000000-0000-0000-0000-000000000000', limit: 10 };
    expect(await operator.deadDeliveries(part)).toMatchObject([{ taskId, problem: 'the receiver answered 404' }]);
    expect(await operator.redeliver(taskId)).toEqual({ ok: true, value: { taskId, deliveries: 1 } });
    expect(await operator.deadDeliveries(part)).toEqual([]);
    await expect.poll(() => row(id)).toMatchObject({ attempts: 1, problem: 'the receiver answered 500' });
    await test.advanceClock(5_000);
    deliverer.look();
    await expect.poll(() => row(id)).toEqual({ status: 'delivered', attempts: 2, problem: '' });
    expect(new Set(at('/mended').map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
  });

  it('tells each change of a real task, with the body of the read', async () => {
    const proxy = await TestProxy.open({ callbackAllow: [new URL(origin).host] });
    try {
      const { body: secret } = await proxy.call('GET', '/proxy/webhook-secret');
      const made = await proxy.video({ payload: 'mine', callback_url: `${origin}/whole` });
      expect(made.status).toBe(200);
      await expect.poll(() => at('/whole').length).toBeGreaterThanOrEqual(2);
      const bodies = at('/whole').map(({ body }) => JSON.parse(body) as { id: string; state: string });
      expect(bodies.map(({ state }) => state)).toEqual(['processing', 'success']);
      expect(at('/whole').at(-1)!.body).toBe((await proxy.readVideo(made.body.task_id)).text);
      const { headers, body } = at('/whole')[0]!;
      const key = webhookKey(secret.secret as string);
      expect(webhookFault(headers, body, key, Math.floor(Date.now() / 1_000))).toBeNull();
    } finally {
      await proxy.close();
    }
  });
});
