import { LOG_BYTES, newUuid } from '@heddle/contracts-messages';
import type { CapturedLog, JobId, LoggedAttempt, LogsPort, Principal, WorkerLease } from '@heddle/contracts-messages';
import { expect, it } from 'vitest';
import { someAccount } from './jobs-under-test.js';

/** LogsPort as a worker and as a gateway call it. */
export interface BoundLogs {
  readonly worker: Pick<LogsPort, 'capture'>;
  readonly gateway: Pick<LogsPort, 'read'>;
}

/** LogsPort, directly and over gRPC. `lend`: leases a new job of an account to the worker. */
export function itKeepsLogs(logs: () => BoundLogs, lend: (owner: Principal) => WorkerLease): void {
  const captured = (lease: WorkerLease, more: Partial<CapturedLog> = {}): CapturedLog => ({
    ...lease,
    text: 'text',
    truncated: false,
    complete: true,
    endedAs: 'node_execution_error',
    ...more,
  });
  const ended = ({ jobId, fence, endedAs }: CapturedLog): LoggedAttempt => ({ jobId, fence, endedAs: endedAs! });
  const notFound = { ok: false, rejection: { code: 'not_found' } };

  it('keeps texts of any content, and returns them to their account alone', async () => {
    const me = someAccount();
    const log = captured(lend(me), { text: 'zero \u0000, thread \u{1f9f5}, end\r\n', truncated: true });
    expect(await logs().worker.capture(log)).toBe('kept');
    const { text } = log;
    expect(await logs().gateway.read(me, ended(log))).toEqual({
      ok: true,
      value: { text, truncated: true, complete: true, capturedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string },
    });
    expect(await logs().gateway.read({ ...me, accountId: someAccount().accountId }, ended(log))).toMatchObject(
      notFound,
    );
  });

  it('keeps the last MiB, and says that the beginning is missing', async () => {
    const me = someAccount();
    const log = captured(lend(me), { text: `gone${'x'.repeat(LOG_BYTES)}` });
    await logs().worker.capture(log);
    const value = { text: 'x'.repeat(LOG_BYTES), truncated: true };
    expect(await logs().gateway.read(me, ended(log))).toMatchObject({ ok: true, value });
  });

  it('recognises a repetition, and takes more of an attempt until it is complete', async () => {
    const me = someAccount();
    const log = captured(lend(me), { text: 'a', complete: false });
    expect(await logs().worker.capture(log)).toBe('kept');
    expect(await logs().worker.capture(log)).toBe('known');
    expect(await logs().worker.capture({ ...log, text: 'ab', complete: true })).toBe('kept');
    expect(await logs().worker.capture({ ...log, text: 'abc', complete: true })).toBe('known');
    expect(await logs().gateway.read(me, ended(log))).toMatchObject({ value: { text: 'ab', complete: true } });
  });

  it('has no log of a job of which none was captured, and none comes once it was asked for', async () => {
    const me = someAccount();
    const log = captured(lend(me));
    expect(await logs().gateway.read(me, ended(log))).toMatchObject(notFound);
    expect(await logs().worker.capture(log)).toBe('late');
    expect(await logs().gateway.read(me, ended(log))).toMatchObject(notFound);
  });

  it('has no log of another end than the captured one, or of a capture that names no end', async () => {
    const me = someAccount();
    const open = captured(lend(me), { endedAs: null, complete: false });
    expect(await logs().worker.capture(open)).toBe('kept');
    expect(await logs().gateway.read(me, { ...open, endedAs: 'succeeded' })).toMatchObject(notFound);
    const failed = captured(lend(me));
    expect(await logs().worker.capture(failed)).toBe('kept');
    expect(await logs().gateway.read(me, { ...failed, endedAs: 'succeeded' })).toMatchObject(notFound);
  });

  it('takes nothing from a worker that does not hold the lease', async () => {
    const lease = lend(someAccount());
    const unknown = captured({ ...lease, jobId: newUuid() as JobId });
    await expect(logs().worker.capture(unknown)).rejects.toThrow(/does not hold the lease 1 of the job/);
    const older = captured({ ...lease, fence: 2 });
    await expect(logs().worker.capture(older)).rejects.toThrow(/does not hold the lease 2 of the job/);
    const other = captured({ ...lease, workerId: 'worker-b' });
    await expect(logs().worker.capture(other)).rejects.toThrow(/the worker worker-b does not hold the lease/);
  });
}
