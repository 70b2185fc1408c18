import { setTimeout as delay } from 'node:timers/promises';

/** The answer of another service; null if it fails, or does not come within `milliseconds`. Nothing waits for it then. */
export async function answerWithin<T>(milliseconds: number, answer: Promise<T>): Promise<T | null> {
  const late = new AbortController();
  try {
    return await Promise.race([answer, delay(milliseconds, null, { signal: late.signal, ref: false })]);
  } catch {
    return null;
  } finally {
    late.abort();
  }
}
