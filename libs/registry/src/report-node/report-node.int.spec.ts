import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];

describe('a node', () => {
  let registry: ManagedRegistry;

  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    await registry.publisher('acme', ANN);
    await registry.call('POST', '/publishers/acme/nodes', ANN, { id: 'pack-v' });
  });
  afterAll(() => registry.close());

  const expected = async (sent: Promise<Answered>, status: number, error?: string) => {
    const answer = await sent;
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    return answer.body;
  };

  it('is reported to the operator', async () => {
    const report = (body: unknown, key = BOB) => registry.call('POST', '/nodes/pack-v/reports', key, body);
    expect(await report({ reason: 'spam', message: 'ads' })).toMatchObject({ status: 202, body: {} });
    expect((await report({ reason: 'malware' })).status).toBe(202);
    await expected(report({ reason: 'boring' }), 400, 'invalid_request');
    await expected(report({ reason: 'spam' }, ''), 401, 'unauthorized');
    const queue = await registry.admin.queue({ after: null, limit: 10 });
    expect(queue).toMatchObject({
      ok: true,
      value: [{ kind: 'report', nodeId: 'pack-v', version: null, text: 'spam: ads' }],
    });
  });
});
