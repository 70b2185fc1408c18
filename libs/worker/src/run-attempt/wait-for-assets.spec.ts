import { describe, expect, it } from 'vitest';
import { waitForAssets } from './wait-for-assets.js';

class ServiceAwayError extends Error {
  override readonly name = 'ServiceAwayError';
}

/** Fails `times` times, then returns the number of calls. */
function failing(times: number, error: Error): () => Promise<number> {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls <= times) throw error;
    return await Promise.resolve(calls);
  };
}

const away = new Error('the database system is starting up');
const PATIENT = { outageMs: 60_000, isOutage: (error: unknown) => error === away };

describe('an outage of the assets service', () => {
  const { signal } = new AbortController();

  it('is waited out within the attempt', async () => {
    expect(await waitForAssets(failing(2, new ServiceAwayError('away')), PATIENT, signal)).toBe(3);
  });

  it('counts too if the other process reports it by the code of its error', async () => {
    const reported = Object.assign(new Error('failed'), { code: 'BlobStoreUnavailableError' });
    expect(await waitForAssets(failing(1, reported), PATIENT, signal)).toBe(2);
  });

  it('of what the assets service needs counts too, wherever that service runs', async () => {
    const reported = Object.assign(new Error('failed'), { code: 'DependencyAwayError' });
    expect(await waitForAssets(failing(1, reported), PATIENT, signal)).toBe(2);
    expect(await waitForAssets(failing(1, away), PATIENT, signal)).toBe(2);
  });

  it('is not concluded from every failure', async () => {
    await expect(waitForAssets(failing(1, new Error('refused')), PATIENT, signal)).rejects.toThrow('refused');
  });

  it('is waited out for a limited time only', async () => {
    await expect(
      waitForAssets(failing(100, new ServiceAwayError('away')), { ...PATIENT, outageMs: 150 }, signal),
    ).rejects.toThrow('away');
  });

  it('ends with the attempt', async () => {
    const stop = new AbortController();
    const waiting = waitForAssets(failing(100, new ServiceAwayError('away')), PATIENT, stop.signal);
    stop.abort();
    await expect(waiting).rejects.toThrow('away');
  });
});
