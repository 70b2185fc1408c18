import { LOG_BYTES } from '@heddle/contracts-messages';
import type { CaptureVerdict, CapturedLog } from '@heddle/contracts-messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captured, ended, openLogs, somebody } from '../logs-under-test.fixture.js';
import type { LogsUnderTest } from '../logs-under-test.fixture.js';

describe('the capture of a log', () => {
  const alice = somebody();
  let here: LogsUnderTest;
  beforeAll(async () => {
    here = await openLogs();
  });
  afterAll(async () => await here.close());
  const capture = (log: CapturedLog, owner = alice, jobExpiresAt?: string): Promise<CaptureVerdict> =>
    here.capture(log, owner, jobExpiresAt);

  it('keeps the last MiB, cut between characters, and says so [LG07]', async () => {
    const log = captured({ text: `gone${'\u00e9'.repeat(LOG_BYTES / 2)}x` });
    await capture(log);
    const answer = await here.logs.read(alice, ended(log));
    if (!answer.ok) throw new Error(answer.rejection.message);
    const { text, truncated } = answer.value;
    expect([truncated, text.length, text.at(0), text.at(-1)]).toEqual([true, LOG_BYTES / 2, '\u00e9', 'x']);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LOG_BYTES);
  });

  it('recognises a repetition, takes more of an attempt until it is complete, and nothing of an older attempt', async () => {
    const log = captured({ text: 'a', complete: false, fence: 2 });
    expect(await capture(log)).toBe('kept');
    expect(await capture(log)).toBe('known');
    expect(await capture({ ...log, text: 'ab' })).toBe('kept');
    expect(await capture({ ...log, text: 'abc', complete: true })).toBe('kept');
    expect(await capture({ ...log, text: 'other' })).toBe('known');
    expect(await capture({ ...log, fence: 1, text: 'older' })).toBe('late');
    expect(await here.logs.read(alice, ended(log))).toMatchObject({ value: { text: 'abc', complete: true } });
    expect(await capture({ ...log, fence: 3, text: 'newer' })).toBe('kept');
    expect(await here.logs.read(alice, ended({ ...log, fence: 3 }))).toMatchObject({ value: { text: 'newer' } });
    expect(await here.metrics.metrics()).toContain('heddle_execution_logs_refused_total 1\n');
  });

  it('lets nobody overwrite the log of a foreign job', async () => {
    const log = captured({ text: 'mine' });
    expect(await here.logs.read(somebody(), { ...ended(log), fence: 9 })).toMatchObject({ ok: false });
    expect(await capture(log)).toBe('kept');
    expect(await capture({ ...log, fence: 9, text: 'theirs' }, somebody())).toBe('late');
    expect(await here.logs.read(alice, ended(log))).toMatchObject({ value: { text: 'mine' } });
  });

  it('keeps one of many captures that come at once', async () => {
    const log = captured();
    const texts = Array.from({ length: 20 }, (_, at) => `attempt text ${at}`);
    const verdicts = await Promise.all(texts.map(async (text) => await capture({ ...log, text })));
    expect(verdicts.filter((verdict) => verdict === 'kept')).toHaveLength(1);
    expect(await here.logs.read(alice, ended(log))).toMatchObject({ value: { text: texts[verdicts.indexOf('kept')] } });
  });
});
