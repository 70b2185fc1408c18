import type { PublisherWire } from '@heddle/contracts-registry';
import { expectStatus } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { usePublishers } from './registry-publishers.fixture.js';

describe('managing what is published', () => {
  const { registry, publishers, ask } = usePublishers();

  it('keeps one owner', async () => {
    const { acme } = publishers;
    const members = `/publishers/${acme.id}/members`;
    const { members: before } = await registry.anyone.json<PublisherWire>(`/publishers/${acme.id}`);
    expect(await ask('DELETE', `${members}/${before[0]!.id}`)).toBe('409 last_owner');
    expect(await ask('POST', members, { account: before[0]!.user.id, role: 'member' })).toBe('409 last_owner');
    expectStatus(await registry.account.send('POST', members, { account: before[0]!.user.id, role: 'owner' }), 201);
    expect(await ask('POST', members, { account: 'nobody-there', role: 'member' })).toBe('400 invalid_request');
    expect(await ask('DELETE', `${members}/nothing`)).toBe('404 not_found');
  });
});
