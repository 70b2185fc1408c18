import { describe, expect, it } from 'vitest';
import { eventOfLink } from './event-of-link.js';
import { linkOfEvent } from './link-of-event.js';
import type { StoredEvent } from './stored-event.js';

const EVENT: StoredEvent = {
  eventId: '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10',
  streamId: '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d11',
  version: 3,
  type: 'NodeFinished',
  schemaVersion: 1,
  accountId: '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d12',
  deploymentId: '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d13',
  fence: null,
  workerSeq: 7,
  isTerminal: false,
  recordedAt: '2026-11-27T10:11:12.345Z',
  correlationId: 'ünï',
  causationId: null,
  data: null,
  dataDigest: Buffer.alloc(32, 5),
  status: null,
  traceparent: null,
};

describe('the link of an event', () => {
  it.each([
    EVENT,
    { ...EVENT, fence: 2, workerSeq: null, isTerminal: true, causationId: EVENT.eventId, correlationId: null },
  ])('gives the event back, case %#', (event) => {
    expect(eventOfLink(linkOfEvent(event)!)).toEqual(event);
  });

  it('covers the digest of a payload that is there, and is unknown without payload and digest', () => {
    const digest = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
    const link = linkOfEvent({ ...EVENT, data: Buffer.from('{}'), dataDigest: undefined })!;
    expect(link.subarray(-32).toString('hex')).toBe(digest);
    expect(linkOfEvent({ ...EVENT, dataDigest: undefined })).toBeNull();
  });
});
