// A publisher owns nodes. These decisions protect its lifecycle: its id is never free again, and only the operator lifts a
// ban. Its members and its profile are rows, not events. Page: docs/architecture/17-registry.md.

import { alreadySo, append } from '@heddle/decision';
import type { Decision } from '@heddle/decision';
import type { PublisherState } from './publisher.state.js';
import type { PublisherEvent, RegistryEventData } from './registry.events.js';

/** No decision about a publisher is a rejection. */
type PublisherDecision = Decision<PublisherEvent>;

/** The caller has checked that the id is free: the transaction that appends the event holds the id. */
export function createPublisher(data: RegistryEventData['PublisherCreated']): PublisherDecision {
  return append({ type: 'PublisherCreated', data });
}

/** Another ban changes nothing: the reason of the first one stays. */
export function banPublisher({ status }: PublisherState, actor: string, reason: string): PublisherDecision {
  return status === 'banned' ? alreadySo : append({ type: 'PublisherBanned', data: { actor, reason } });
}

export function unbanPublisher({ status }: PublisherState, actor: string, reason: string): PublisherDecision {
  return status === 'active' ? alreadySo : append({ type: 'PublisherUnbanned', data: { actor, reason } });
}
