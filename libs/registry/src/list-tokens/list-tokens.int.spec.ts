import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];
const TOKENS = '/publishers/acme/tokens';

describe('the list of the tokens of a publisher', () => {
  let registry: ManagedRegistry;

  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    await registry.publisher('acme');
  });
  afterAll(() => registry.close());

  const expected = async (sent: Promise<Answered>, status: number, error?: string) => {
    const answer = await sent;
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    return answer.body;
  };

  it('shows each of them without its text, which is shown once', async () => {
    const { body: made } = await registry.call('POST', TOKENS, ANN, { name: 'second', nodes: ['Pack-A'] });
    const { body: listed } = await registry.call('GET', TOKENS, ANN);
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
  });

  it('is for its owners alone', async () => {
    await expected(registry.call('GET', TOKENS, BOB), 403, 'forbidden');
  });
});
