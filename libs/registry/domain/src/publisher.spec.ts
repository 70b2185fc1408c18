import { given } from '@heddle/testing-decisions';
import { describe, it, expect } from 'vitest';
import { banPublisher, createPublisher, unbanPublisher } from './publisher.js';
import { aBannedPublisher, anActivePublisher, noPublisher } from './registry.fixture.js';

describe('a publisher', () => {
  it('begins active, with the id that it has for ever', () => {
    const data = { actor: 'account:a', publisher_id: 'acme', account_id: 'a' };
    const state = given(noPublisher)
      .when(() => createPublisher(data))
      .then({ type: 'PublisherCreated', data });
    expect(state).toEqual({
      streamVersion: 1,
      publisherId: 'acme',
      status: 'active',
      reason: '',
      createdAt: '2026-01-01T00:00:00.000Z',
    });
  });

  it('is nobody while its stream has not begun', () => {
    expect(noPublisher.and({ type: 'PublisherBanned', data: { actor: 'a', reason: '' } }).state()).toBeNull();
  });

  it('is banned with the reason of the operator', () => {
    const state = given(anActivePublisher)
      .when((publisher) => banPublisher(publisher, 'admin', 'malware'))
      .then({ type: 'PublisherBanned', data: { actor: 'admin', reason: 'malware' } });
    expect(state).toMatchObject({ status: 'banned', reason: 'malware', streamVersion: 2 });
  });

  it('keeps the reason of its first ban', () => {
    given(aBannedPublisher)
      .when((publisher) => banPublisher(publisher, 'admin', 'another reason'))
      .thenNothing();
  });

  it('comes back with the reason of that, and can be banned again', () => {
    const unbanned = { type: 'PublisherUnbanned', data: { actor: 'admin', reason: 'an error' } } as const;
    const { createdAt } = aBannedPublisher.state();
    const state = given(aBannedPublisher)
      .when((publisher) => unbanPublisher(publisher, 'admin', 'an error'))
      .then(unbanned);
    expect(state).toMatchObject({ status: 'active', reason: 'an error', streamVersion: 3, createdAt });
    given(aBannedPublisher.and(unbanned))
      .when((publisher) => banPublisher(publisher, 'admin', 'again'))
      .then({ type: 'PublisherBanned', data: { actor: 'admin', reason: 'again' } });
  });

  it('that is active is not unbanned', () => {
    given(anActivePublisher)
      .when((publisher) => unbanPublisher(publisher, 'admin', ''))
      .thenNothing();
  });
});
