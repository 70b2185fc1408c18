import type { PublisherWire } from '@heddle/contracts-registry';
import { expectStatus, jsonOf } from '@heddle/testing-api';
import { newId, refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { usePublishers } from './registry-publishers.fixture.js';

describe('managing what is published', () => {
  const { registry, ask } = usePublishers();

  it('makes a publisher, which is the account’s, and changes what it says of itself', async () => {
    const id = newId('p');
    const free = `/publishers/validate?username=${id}`;
    expect(await registry.anyone.json(free)).toEqual({ isAvailable: true });
    const made = await registry.account.send('POST', '/publishers', {
      id,
      name: 'Acme',
      website: 'https://acme.example',
    });
    expect(jsonOf<PublisherWire>(expectStatus(made, 201))).toMatchObject({
      ...{ id, name: 'Acme', website: 'https://acme.example', status: 'PublisherStatusActive', description: '' },
      members: [{ role: 'owner', user: { email: '' } }],
    });
    expect(await registry.anyone.json(free)).toEqual({ isAvailable: false });
    expect(await ask('POST', '/publishers', { id, name: 'Acme' })).toBe('409 publisher_exists');
    for (const body of [{ id: 'Bad_Id', name: 'x' }, { id: 'admin', name: 'x' }, { id: newId('p') }, [], '{']) {
      expect(await ask('POST', '/publishers', body), JSON.stringify(body)).toBe('400 invalid_request');
    }
    expectStatus(await registry.account.send('PUT', `/publishers/${id}`, { description: 'Filters' }), 200);
    expect(await registry.anyone.json(`/publishers/${id}`)).toMatchObject({ name: 'Acme', description: 'Filters' });
    const own = jsonOf<PublisherWire[]>(expectStatus(await registry.account.get('/users/publishers'), 200));
    expect(own.map((publisher) => publisher.id)).toContain(id);
    expect(refusalOf(await registry.anyone.get('/publishers/nobody-there'))).toBe('404 not_found');
  });
});
