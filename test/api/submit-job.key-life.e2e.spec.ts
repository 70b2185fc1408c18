import { textGraph } from '@heddle/testing-api';
import { afterAll, describe, expect, it } from 'vitest';
import { moveClock } from './database.js';
import { expectRefusal } from './expectations.js';
import { newKey, ownServer, useServer } from './server.js';

const DAY_MS = 86_400_000;

describe.runIf(ownServer)('the life of an Idempotency-Key by the clock of the database', () => {
  const server = useServer({ HEDDLE_WORKERS: '0', HEDDLE_MAX_QUEUE_WAIT_S: '1000000' });
  afterAll(() => moveClock(server.process, 0));

  it('is 24 hours: still claimed at 23:59:50, free at 24:00:10 (Idempotency rules 5) [ID11]', async () => {
    const key = newKey();
    const form = { bytes: Buffer.from('x'), content_type: 'a/b', file_path: 'x' };
    const job = await server.client.submitted(textGraph(), { key });
    expect((await server.client.upload(form, { key })).status).toBeLessThan(300);
    await moveClock(server.process, DAY_MS - 10_000);
    expectRefusal(await server.client.submit(textGraph(), { key }), 422, 'idempotency_key_reuse');
    expectRefusal(await server.client.upload(form, { key }), 422, 'idempotency_key_reuse');
    await moveClock(server.process, DAY_MS + 10_000);
    const again = await server.client.submitted(textGraph(), { key });
    expect(again.id).not.toBe(job.id);
    expect((await server.client.upload(form, { key })).status).toBeLessThan(300);
    expectRefusal(await server.client.submit(textGraph(), { key }), 422, 'idempotency_key_reuse');
  });
});
