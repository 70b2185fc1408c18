import { describe, expect, it } from 'vitest';
import type { PublisherState } from './publisher.state.js';
import { decodeState, encodeState } from './state.codec.js';

const createdAt = '2026-01-02T00:00:00.000Z';
const state: PublisherState = { streamVersion: 3, publisherId: 'acme', status: 'active', reason: '', createdAt };
const json = { log: 3, publisherId: 'acme', status: 'active', reason: '', createdAt };

describe('a stored state', () => {
  it('has its version under the released name', () => {
    expect(encodeState(state)).toEqual(json);
  });

  it('is read as it was written', () => {
    expect(decodeState<PublisherState>(encodeState(state))).toEqual(state);
  });
});
