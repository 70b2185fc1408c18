import { describe, expect, it } from 'vitest';
import { waitForAssets } from './wait-for-assets.js';

class ServiceAwayError extends Error {
  override readonly name = 'ServiceAwayError';
}

/** Fails so often, then answers how often it was called. */
function failing(times: number, error: Error): () => Promise<number> {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls <= times) throw error;
    return await Promise.resolve(calls);
  };
}

describe('an outage of the assets service', () => {
  const { signal } = new AbortController();

  it('is waited out within the attempt', async () => {
    expect(await waitForAssets(failing(2, new ServiceAwayError('away')), 60_000, signal)).toBe(3);
  });

  it('that the other process tells by the code of its error counts too', async () => {
    const told = Object.assign(new Error('failed'), { code: 'BlobStoreUnavailableError' });
    expect(await waitForAssets(failing(1, told), 60_000, signal)).toBe(2);
  });

  it('is not what every failure is', async () => {
    await expect(waitForAssets(failing(1, new Error('refused')), 60_000, signal)).rejects.toThrow('refused');
  });

  it('has an end', async () => {
    await expect(waitForAssets(failing(100, new ServiceAwayError('away')), 150, signal)).rejects.toThrow('away');
  });

  it('ends with the attempt', async () => {
    const stop = new AbortController();
    const waiting = waitForAssets(failing(100, new ServiceAwayError('away')), 60_000, stop.signal);
    stop.abort();
    await expect(waiting).rejects.toThrow('away');
  });
});
