import { afterEach, describe, expect, it, vi } from 'vitest';
import { urlExpiresAt } from './url-expiry.js';

afterEach(() => vi.useRealTimers());

describe('url_expires_at', () => {
  it('is 24 h from the moment at which the link is written, not from the start of a stream', () => {
    vi.useFakeTimers();
    vi.setSystemTime('2026-11-22T21:00:00.900Z');
    expect(urlExpiresAt('timestamp')).toBe('2026-11-23T21:00:00.000Z');
    vi.setSystemTime('2026-11-24T09:30:05.000Z');
    expect(urlExpiresAt('timestamp')).toBe('2026-11-25T09:30:05.000Z');
  });

  it('is null where the operator says so', () => expect(urlExpiresAt('null')).toBeNull());
});
