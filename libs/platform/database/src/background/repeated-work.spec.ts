import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RepeatedWork } from './repeated-work.js';

const EVERY_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('repeated work', () => {
  it('runs at its start, and again after each interval', async () => {
    let rounds = 0;
    const work = new RepeatedWork(async () => void (rounds += 1), unexpected);
    work.start(EVERY_MS);
    expect(rounds).toBe(1);
    await vi.advanceTimersByTimeAsync(EVERY_MS - 1);
    expect(rounds).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(rounds).toBe(2);
    await work.stop();
    await vi.advanceTimersByTimeAsync(10 * EVERY_MS);
    expect(rounds).toBe(2);
  });

  it('may begin after a pause, and not after a stop in it', async () => {
    let rounds = 0;
    const work = new RepeatedWork(async () => void (rounds += 1), unexpected);
    work.start(EVERY_MS, EVERY_MS);
    await vi.advanceTimersByTimeAsync(EVERY_MS - 1);
    expect(rounds).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(rounds).toBe(1);
    await work.stop();
    work.start(EVERY_MS, EVERY_MS);
    await work.stop();
    await vi.advanceTimersByTimeAsync(10 * EVERY_MS);
    expect(rounds).toBe(1);
  });

  it('runs again at once while there may be more', async () => {
    let rounds = 0;
    const work = new RepeatedWork(async () => ++rounds < 5, unexpected);
    work.start(EVERY_MS);
    await vi.advanceTimersByTimeAsync(EVERY_MS / 2);
    expect(rounds).toBe(5);
    await work.stop();
  });

  it('starts no round while one is in flight, and waits for it to stop', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let rounds = 0;
    const work = new RepeatedWork(() => {
      rounds += 1;
      return promise;
    }, unexpected);
    work.start(EVERY_MS);
    await vi.advanceTimersByTimeAsync(10 * EVERY_MS);
    expect(rounds).toBe(1);
    let stopped = false;
    const stop = work.stop().then(() => void (stopped = true));
    await vi.advanceTimersByTimeAsync(0);
    expect(stopped).toBe(false);
    resolve();
    await stop;
    await vi.advanceTimersByTimeAsync(10 * EVERY_MS);
    expect(rounds).toBe(1);
  });

  it('reports a failed round and goes on after the interval', async () => {
    const faults: unknown[] = [];
    const away = new Error('away');
    const work = new RepeatedWork(
      () => Promise.reject(away),
      (error) => faults.push(error),
    );
    work.start(EVERY_MS);
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(faults).toEqual([away, away]);
    await work.stop();
  });

  it('does not report a round that fails after the stop', async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    const work = new RepeatedWork(() => promise, unexpected);
    work.start(EVERY_MS);
    const stop = work.stop();
    reject(new Error('the pool is closed'));
    await expect(stop).resolves.toBeUndefined();
  });
});

function unexpected(error: unknown): void {
  throw new Error('no fault is expected', { cause: error });
}
