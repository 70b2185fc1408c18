// A publisher owns nodes. These decisions protect its lifecycle: its id is never free again, and only the operator lifts a
// ban. Its members and its profile are rows, not events. Page: docs/architecture/17-registry.md.

import { alreadySo, append } from '@heddle/decision';
import type { Decision } from '@heddle/decision';
import type { PublisherEvent, RegistryEventData } from './registry.events.js';

/** A publisher as its events leave it. */
export interface PublisherState {
  /** Of its last event. */
  readonly streamVersion: number;
  readonly publisherId: string;
  readonly status: 'active' | 'banned';
  readonly reason: string;
  readonly createdAt: string;
}

/** The caller has checked that the id is free: the transaction that appends the event holds the id. */
export function createPublisher(data: RegistryEventData['PublisherCreated']): Decision<PublisherEvent> {
  return append({ type: 'PublisherCreated', data });
}

/** Another ban changes nothing: the reason of the first one stays. */
export function banPublisher({ status }: PublisherState, actor: string, reason: string): Decision<PublisherEvent> {
  return status === 'banned' ? alreadySo : append({ type: 'PublisherBanned', data: { actor, reason } });
}

export function unbanPublisher({ status }: PublisherState, actor: string, reason: string): Decision<PublisherEvent> {
  return status === 'active' ? alreadySo : append({ type: 'PublisherUnbanned', data: { actor, reason } });
}

/** The state after one more event; the decision that produced the event has already checked it. */
export function evolvePublisher(
  state: PublisherState | null,
  event: PublisherEvent,
  recordedAt: string,
): PublisherState | null {
  if (event.type === 'PublisherCreated') {
    const { publisher_id: publisherId } = event.data;
    return { streamVersion: 1, publisherId, status: 'active', reason: '', createdAt: recordedAt };
  }
  if (state === null) return null;
  const next = { ...state, streamVersion: state.streamVersion + 1, reason: event.data.reason };
  switch (event.type) {
    case 'PublisherBanned':
      return { ...next, status: 'banned' };
    case 'PublisherUnbanned':
      return { ...next, status: 'active' };
  }
}
