import type { PublisherEvent } from './registry.events.js';

/** What the log says of a publisher. Its profile and its members are rows of their own. */
export interface PublisherState {
  /** Number of events of its stream. */
  readonly log: number;
  readonly publisherId: string;
  readonly status: 'active' | 'banned';
  readonly reason: string;
  readonly createdAt: string;
}

/** The state after one more event; the decision that produced the event has already checked it. */
export function evolvePublisher(
  state: PublisherState | null,
  event: PublisherEvent,
  recordedAt: string,
): PublisherState | null {
  if (event.type === 'PublisherCreated') {
    const { publisher_id: publisherId } = event.data;
    return { log: 1, publisherId, status: 'active', reason: '', createdAt: recordedAt };
  }
  if (state === null) return null;
  const next = { ...state, log: state.log + 1, reason: event.data.reason };
  switch (event.type) {
    case 'PublisherBanned':
      return { ...next, status: 'banned' };
    case 'PublisherUnbanned':
      return { ...next, status: 'active' };
  }
}

/** No event: it is so already. */
export function banPublisher({ status }: PublisherState, actor: string, reason: string): readonly PublisherEvent[] {
  return status === 'banned' ? [] : [{ type: 'PublisherBanned', data: { actor, reason } }];
}

export function unbanPublisher({ status }: PublisherState, actor: string, reason: string): readonly PublisherEvent[] {
  return status === 'active' ? [] : [{ type: 'PublisherUnbanned', data: { actor, reason } }];
}
