import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];

describe('a publisher', () => {
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

  it('has tokens, which are shown once, and end', async () => {
    const tokens = '/publishers/acme/tokens';
    const { body: made } = await registry.call('POST', tokens, ANN, { name: 'second', nodes: ['Pack-A'] });
    const { body: listed } = await registry.call('GET', tokens, ANN);
    expect(JSON.stringify(listed)).not.toContain(made.token);
    expect(listed[1]).toEqual({
      ...Object.fromEntries(Object.entries(made).filter(([name]) => name !== 'token')),
      prefix: `hdr_${made.id}`,
      last_used_at: '',
    });
    const { rows } = await registry.database.owner.query<{ text: string }>(
      'select token::text as text from registry.token',
    );
    expect(rows.map(({ text }) => text).join()).not.toContain(made.token.split('_')[2]);
    await expected(registry.call('GET', tokens, BOB), 403, 'forbidden');
    await expected(registry.call('DELETE', `${tokens}/${made.id}`, BOB), 403, 'forbidden');
    const { message } = await expected(registry.call('DELETE', `${tokens}/nonsense`, ANN), 404, 'not_found');
    expect(message).toContain('"nonsense"');
    await registry.publisher('other', BOB);
    await expected(registry.call('DELETE', `/publishers/other/tokens/${made.id}`, BOB), 404, 'not_found');
    expect((await registry.call('DELETE', `${tokens}/${made.id}`, ANN)).status).toBe(204);
    expect((await registry.call('GET', tokens, ANN)).body).toHaveLength(1);
    await expected(registry.publish('acme', 'pack-a', '1.0.0', made.token), 401, 'invalid_token');
    await expected(registry.call('GET', '/publishers/acme', made.token), 401, 'invalid_token');
  });

  it('gives one answer for every token that is not good for it, and repeats none', async () => {
    const [, id, secret, checksum] = token.split('_') as [string, string, string, string];
    const foreign = await registry.publisher('third', BOB);
    const wrong = ['nope', `hdr_${id}_${secret}_00000000`, `hdr_${'a'.repeat(16)}_${secret}_${checksum}`, foreign];
    const answers = await Promise.all(wrong.map((text) => registry.publish('acme', 'pack-a', '1.0.0', text)));
    const unknown = await registry.publish('unknown', 'pack-a', '1.0.0', token);
    for (const answer of [...answers, unknown]) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    for (const text of [...wrong, token]) expect(JSON.stringify(answers)).not.toContain(text);
    await expected(registry.call('GET', `/publishers/acme?token=${token}`), 400, 'invalid_request');
  });
});
