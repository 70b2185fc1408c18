import { newUuid } from '@heddle/contracts-messages';
import type { CaptureVerdict, CapturedLog, DeploymentId } from '@heddle/contracts-messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captured, ended, openLogs, somebody } from '../logs-under-test.fixture.js';
import type { LogsUnderTest } from '../logs-under-test.fixture.js';

describe('a read of a log', () => {
  const alice = somebody();
  let here: LogsUnderTest;
  beforeAll(async () => {
    here = await openLogs();
  });
  afterAll(async () => await here.close());
  const capture = (log: CapturedLog, owner = alice, jobExpiresAt?: string): Promise<CaptureVerdict> =>
    here.capture(log, owner, jobExpiresAt);

  it('returns what was captured, byte for byte, to its account alone', async () => {
    const log = captured({ text: 'first\n\u0000 zero, \u{1f9f5} thread\r\n' });
    expect(await capture(log)).toBe('kept');
    const { text } = log;
    expect(await here.logs.read(alice, ended(log))).toMatchObject({
      ok: true,
      value: { text, truncated: false, complete: true },
    });
    const deploymentId = newUuid() as DeploymentId;
    for (const other of [somebody(), { ...somebody(), deploymentId: alice.deploymentId }, { ...alice, deploymentId }]) {
      expect(await here.logs.read(other, ended(log))).toMatchObject({ ok: false, rejection: { code: 'not_found' } });
    }
    expect(await here.logs.read(alice, ended(captured()))).toMatchObject({
      ok: false,
      rejection: { code: 'not_found' },
    });
  });

  it('returns the log of the attempt and the end that were stored, and of no other', async () => {
    const other = captured({ endedAs: 'engine_error', fence: 2 });
    await capture(other);
    expect(await here.logs.read(alice, { ...ended(other), fence: 3 })).toMatchObject({ ok: false });
    const mine = captured({ endedAs: 'engine_error' });
    await capture(mine);
    expect(await here.logs.read(alice, ended(mine))).toMatchObject({ ok: true });
    expect(await here.logs.read(alice, { ...ended(mine), endedAs: 'succeeded' })).toMatchObject({ ok: false });
    // The worker died after its capture, and the job ended otherwise: now there is no log.
    expect(await here.logs.read(alice, ended(mine))).toMatchObject({ ok: false });
  });

  it('has no log of an ended job once it was asked for it in vain, whatever comes late (api-v2, States and transitions) [LG04]', async () => {
    const log = captured({ fence: 2 });
    expect(await here.logs.read(alice, ended(log))).toMatchObject({ ok: false });
    expect(await capture(log)).toBe('late');
    expect(await capture({ ...log, fence: 1 })).toBe('late');
    expect(await here.logs.read(alice, ended(log))).toMatchObject({ ok: false });
    const once = captured();
    const [verdict, ...answers] = await Promise.all([
      capture(once),
      ...Array.from({ length: 20 }, async () => await here.logs.read(alice, ended(once))),
    ]);
    const later = await here.logs.read(alice, ended(once));
    expect(later.ok).toBe(verdict === 'kept');
    // Nobody who was told that there is none would find one later.
    if (later.ok) expect(answers.filter(({ ok }) => !ok)).toEqual([]);
  });
});
