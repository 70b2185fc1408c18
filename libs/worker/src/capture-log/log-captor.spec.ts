import { newUuid } from '@heddle/contracts-messages';
import type { CapturedLog, CaptureVerdict, JobId } from '@heddle/contracts-messages';
import { beforeEach, describe, expect, it } from 'vitest';
import { WorkerSettings } from '../settings.js';
import { CaptureTooSlowError, LogCaptor } from './log-captor.js';

const AWAY = new Error('away');
const REFUSED = new Error('refused');

describe('the capture of an execution log', () => {
  const lost: unknown[] = [];
  const sent: CapturedLog[] = [];
  let answer: () => Promise<CaptureVerdict>;
  beforeEach(() => {
    lost.length = 0;
    sent.length = 0;
    answer = () => Promise.resolve('kept');
  });
  const captor = (logPauseMs: number): LogCaptor =>
    new LogCaptor(
      { capture: (log) => (sent.push(log), answer()) },
      new WorkerSettings({
        logCaptureMs: 200,
        logPauseMs,
        isOutage: (error) => error === AWAY,
        onLogLost: (error) => lost.push(error),
      }),
    );

  it('loses no log while the service answers', async () => {
    const logs = captor(60_000);
    for (let at = 0; at < 3; at += 1) await logs.capture(log());
    expect([sent.length, lost]).toEqual([3, []]);
  });

  it.each([
    ['does not answer', () => new Promise<never>(() => undefined), expect.any(CaptureTooSlowError)],
    ['is away', () => Promise.reject(AWAY), AWAY],
  ])('loses the log of a service that %s after a short wait, and the next ones without', async (_, failing, error) => {
    answer = failing;
    const logs = captor(60_000);
    await logs.capture(log());
    await Promise.all(Array.from({ length: 100 }, async () => await logs.capture(log())));
    expect(sent).toHaveLength(1);
    expect(lost).toEqual([error, ...Array.from({ length: 100 }, () => null)]);
  });

  it('finds out with one log whether the service is back', async () => {
    answer = () => Promise.reject(AWAY);
    const logs = captor(0);
    await logs.capture(log());
    let back: (verdict: CaptureVerdict) => void = () => undefined;
    answer = () => new Promise((resolve) => (back = resolve));
    const trial = logs.capture(log());
    await logs.capture(log());
    expect([sent.length, lost]).toEqual([2, [AWAY, null]]);
    back('kept');
    await trial;
    answer = () => Promise.resolve('kept');
    await logs.capture(log());
    expect([sent.length, lost]).toEqual([3, [AWAY, null]]);
  });

  it('goes on after a refusal, which is about one lease', async () => {
    answer = () => Promise.reject(REFUSED);
    const logs = captor(60_000);
    await logs.capture(log());
    await logs.capture(log());
    expect([sent.length, lost]).toEqual([2, [REFUSED, REFUSED]]);
  });

  it('loses every log without a service', async () => {
    const onLogLost = (error: unknown): void => void lost.push(error);
    await new LogCaptor(null, new WorkerSettings({ onLogLost })).capture(log());
    expect(lost).toEqual([null]);
  });
});

function log(): CapturedLog {
  const lease = { jobId: newUuid() as JobId, fence: 1, workerId: 'worker-a' };
  return { ...lease, text: 'text', truncated: false, complete: true, endedAs: 'succeeded' };
}
