import type { PublisherState } from './publisher.state.js';
import type { PublisherEvent } from './registry.events.js';

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
