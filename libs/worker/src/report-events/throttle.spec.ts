import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReportThrottle } from './throttle.js';

describe('a throttle', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('lets the first value through at once', () => {
    const seen: number[] = [];
    new ReportThrottle<number>(500, (value) => seen.push(value)).offer(1);
    expect(seen).toEqual([1]);
  });

  it('keeps only the newest of the values that come within the interval, and never loses the last', () => {
    const seen: number[] = [];
    const throttle = new ReportThrottle<number>(500, (value) => seen.push(value));
    for (const value of [1, 2, 3, 4]) throttle.offer(value);
    vi.advanceTimersByTime(500);
    expect(seen).toEqual([1, 4]);
    throttle.offer(5);
    vi.advanceTimersByTime(499);
    expect(seen).toEqual([1, 4]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual([1, 4, 5]);
  });

  it('lets the last value go at once when it is flushed, and nothing twice', () => {
    const seen: number[] = [];
    const throttle = new ReportThrottle<number>(500, (value) => seen.push(value));
    throttle.flush();
    throttle.offer(1);
    throttle.offer(2);
    throttle.flush();
    expect(seen).toEqual([1, 2]);
    vi.advanceTimersByTime(2000);
    expect(seen).toEqual([1, 2]);
  });

  it('waits for a moment first if a delay is set, and never lets more through', () => {
    const seen: number[] = [];
    const throttle = new ReportThrottle<number>(
      500,
      (value) => seen.push(value),
      () => 20,
    );
    throttle.offer(1);
    throttle.offer(2);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(20);
    expect(seen).toEqual([2]);
    throttle.offer(3);
    vi.advanceTimersByTime(499);
    expect(seen).toEqual([2]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual([2, 3]);
    vi.advanceTimersByTime(500);
    throttle.offer(4);
    throttle.flush();
    expect(seen).toEqual([2, 3, 4]);
  });

  it('lets a value through at once that has nothing to gather', () => {
    const seen: number[] = [];
    const throttle = new ReportThrottle<number>(
      500,
      (value) => seen.push(value),
      (value) => (value % 2 === 0 ? 20 : 0),
    );
    throttle.offer(1);
    expect(seen).toEqual([1]);
    vi.advanceTimersByTime(500);
    throttle.offer(2);
    expect(seen).toEqual([1]);
    vi.advanceTimersByTime(20);
    expect(seen).toEqual([1, 2]);
  });

  it('postpones a waiting value by a whole interval', () => {
    const seen: number[] = [];
    const throttle = new ReportThrottle<number>(
      500,
      (value) => seen.push(value),
      () => 20,
    );
    throttle.postpone();
    throttle.offer(1);
    throttle.postpone();
    vi.advanceTimersByTime(499);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual([1]);
  });

  it('is silent once it is closed', () => {
    const seen: number[] = [];
    const throttle = new ReportThrottle<number>(500, (value) => seen.push(value));
    throttle.offer(1);
    throttle.offer(2);
    throttle.close();
    throttle.offer(3);
    vi.advanceTimersByTime(2000);
    expect(seen).toEqual([1]);
  });
});
