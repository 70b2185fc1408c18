import { describe, it, expect } from 'vitest';
import { given } from './given-when-then.fixture.js';
import { banPublisher, createPublisher, evolvePublisher, unbanPublisher } from './publisher.js';
import { PUBLISHER_STORIES, publisherAfter } from './registry.fixture.js';

const active = publisherAfter(...PUBLISHER_STORIES['active']!);
const banned = publisherAfter(...PUBLISHER_STORIES['banned']!);
const AT = '2026-01-02T00:00:00.000Z';

describe('a publisher', () => {
  it('begins active, with the id that it has for ever', () => {
    const data = { actor: 'account:a', publisher_id: 'acme', account_id: 'a' };
    const [event] = createPublisher(data).events;
    expect(event).toEqual({ type: 'PublisherCreated', data });
    expect(evolvePublisher(null, event!, AT)).toEqual({
      streamVersion: 1,
      publisherId: 'acme',
      status: 'active',
      reason: '',
      createdAt: AT,
    });
  });

  it('is nobody while its stream has not begun', () => {
    expect(evolvePublisher(null, { type: 'PublisherBanned', data: { actor: 'a', reason: '' } }, AT)).toBeNull();
  });

  it('is banned with the reason of the operator', () => {
    given(active)
      .when((state) => banPublisher(state, 'admin', 'malware'))
      .then({ type: 'PublisherBanned', data: { actor: 'admin', reason: 'malware' } });
    expect(banned).toMatchObject({ status: 'banned', reason: 'why', streamVersion: 2 });
  });

  it('keeps the reason of its first ban', () => {
    given(banned)
      .when((state) => banPublisher(state, 'admin', 'another reason'))
      .thenNothing();
  });

  it('comes back with the reason of that, and can be banned again', () => {
    const { events } = given(banned).when((state) => unbanPublisher(state, 'admin', 'an error'));
    const back = evolvePublisher(banned, events[0]!, AT)!;
    expect(back).toMatchObject({ status: 'active', reason: 'an error', streamVersion: 3, createdAt: active.createdAt });
    given(back)
      .when((state) => banPublisher(state, 'admin', 'again'))
      .then({ type: 'PublisherBanned', data: { actor: 'admin', reason: 'again' } });
  });

  it('that is active is not unbanned', () => {
    given(active)
      .when((state) => unbanPublisher(state, 'admin', ''))
      .thenNothing();
  });
});
