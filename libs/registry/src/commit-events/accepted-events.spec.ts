import { RejectionError } from '@heddle/platform-http';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import type { Decision } from '@heddle/decision';
import { describe, expect, it } from 'vitest';
import { acceptedEvents } from './accepted-events.js';

type Lunch = Decision<'LunchServed', 'closed' | 'sold_out'>;
const sold = (): Lunch => ({ ok: true, events: ['LunchServed'] });
const decided = (rejection: 'closed' | 'sold_out'): Lunch => ({ ok: false, rejection });
const closed = (): RejectionError => registryRefusal('forbidden', { case: 'suspended' });
const sold_out = (): RejectionError => registryRefusal('last_owner', { case: 'member' });

describe('the events of a decision', () => {
  it('are those that it accepted, in their order', () => {
    expect(acceptedEvents(sold(), { closed, sold_out })).toEqual(['LunchServed']);
  });

  it.each([
    ['closed', 'forbidden'],
    ['sold_out', 'last_owner'],
  ] as const)('are refused with the entry of the rejection %s', (rejection, code) => {
    expect(() => acceptedEvents(decided(rejection), { closed, sold_out })).toThrow(RejectionError);
    try {
      acceptedEvents(decided(rejection), { closed, sold_out });
    } catch (error) {
      expect((error as RejectionError).rejection.code).toBe(code);
    }
  });

  it('need a table that has every rejection and no other', () => {
    // @ts-expect-error The rejection `sold_out` has no refusal.
    expect(acceptedEvents(sold(), { closed })).toEqual(['LunchServed']);
    // @ts-expect-error No decision gives `too_late`.
    expect(acceptedEvents(sold(), { closed, sold_out, too_late: closed })).toEqual(['LunchServed']);
  });
});
