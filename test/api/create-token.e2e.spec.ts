import type { TokenWire } from '@heddle/contracts-registry';
import { expectStatus, jsonOf, textOf } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { usePublishers } from './registry-publishers.fixture.js';

describe('managing what is published', () => {
  const { registry, publishers, ask, withToken } = usePublishers();

  it('issues a token once, lists it without its text, and revokes it', async () => {
    const { acme } = publishers;
    const made = await acme.newToken({ name: 'CI', nodes: ['pack-a'], actions: ['publish'], expires_in: 60 });
    expect(made).toMatchObject({ name: 'CI', description: '', nodes: ['pack-a'], actions: ['publish'] });
    expect(made.token).toMatch(new RegExp(`^hdr_${made.id}_\\w+_[0-9a-f]{8}$`));
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(60_000);
    const tokens = `/publishers/${acme.id}/tokens`;
    const listed = expectStatus(await registry.account.get(tokens), 200);
    expect(textOf(listed)).not.toContain(made.token.split('_')[2]);
    const found = jsonOf<TokenWire[]>(listed).find(({ id }) => id === made.id);
    expect(found).toMatchObject({ prefix: `hdr_${made.id}`, last_used_at: '' });
    expect(listed.headers['cache-control']).toBe('no-store');
    for (const body of [{}, { name: 'x', expires_in: 59 }, { name: 'x', nodes: [] }, { name: 'x', actions: ['own'] }]) {
      expect(await ask('POST', tokens, body)).toBe('400 invalid_request');
    }
    expect(await ask('DELETE', `${tokens}/${made.id}`)).toBe('204');
    expect(await withToken('GET', '/keys', undefined, made.token)).toBe('401 invalid_token');
    expect(await ask('DELETE', `${tokens}/nothing`)).toBe('404 not_found');
  });
});
