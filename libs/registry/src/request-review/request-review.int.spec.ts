import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

const ANN = 'key-ann';
const VERSION = '/publishers/acme/nodes/pack-a/versions/1.0.0';

describe('the review of a version', () => {
  let registry: ManagedRegistry;

  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    await registry.active('acme', 'pack-a', '1.0.0', await registry.publisher('acme', ANN));
  });
  afterAll(() => registry.close());

  const expected = async (sent: Promise<Answered>, status: number, error?: string) => {
    const answer = await sent;
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    return answer.body;
  };
  const ask = (body: unknown): Promise<Answered> => registry.call('POST', `${VERSION}/request-review`, ANN, body);

  it('is not requested of one that is not flagged', async () => {
    await expected(ask({}), 409, 'already_set');
    await expected(ask([]), 400, 'invalid_request');
  });

  it('that is flagged is requested once: while a request waits, another one changes nothing', async () => {
    await registry.admin.review({ nodeId: 'pack-a', version: '1.0.0' }, 'flagged', 'a look');
    for (const message of ['please', 'again']) expect(await ask({ message })).toMatchObject({ status: 202, body: {} });
    expect(await registry.admin.queue({ after: null, limit: 10 })).toMatchObject({
      ok: true,
      value: [{ kind: 'flagged' }, { kind: 'review', nodeId: 'pack-a', version: '1.0.0', text: 'please' }],
    });
  });
});
