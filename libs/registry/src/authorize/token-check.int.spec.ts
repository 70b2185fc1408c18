import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

describe('a token of a publisher', () => {
  let registry: ManagedRegistry;
  let token: string;

  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    token = await registry.publisher('acme');
  });
  afterAll(() => registry.close());

  const expected = async (sent: Promise<Answered>, status: number, error?: string) => {
    const answer = await sent;
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    return answer.body;
  };

  it('that is not good is answered alike, whatever is wrong, and is repeated nowhere', async () => {
    const [, id, secret, checksum] = token.split('_') as [string, string, string, string];
    const foreign = await registry.publisher('third', 'key-bob');
    const wrong = ['nope', `hdr_${id}_${secret}_00000000`, `hdr_${'a'.repeat(16)}_${secret}_${checksum}`, foreign];
    const answers = await Promise.all(wrong.map((text) => registry.publish('acme', 'pack-a', '1.0.0', text)));
    const unknown = await registry.publish('unknown', 'pack-a', '1.0.0', token);
    for (const answer of [...answers, unknown]) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    for (const text of [...wrong, token]) expect(JSON.stringify(answers)).not.toContain(text);
    await expected(registry.call('GET', `/publishers/acme?token=${token}`), 400, 'invalid_request');
  });
});
