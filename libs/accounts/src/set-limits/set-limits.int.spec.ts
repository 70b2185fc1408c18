import { describe, expect, it } from 'vitest';
import { accountsForSpecs, codeOf, NO_LIMITS, valueOf } from '../accounts-under-test.fixture.js';

describe('the limits of an account', () => {
  const spec = accountsForSpecs();

  it('changes the limits that are given, and takes back those that are null', async () => {
    await spec.here.accounts.create('limited', { queueDepth: 1, running: 2 });
    const changed = valueOf(await spec.here.accounts.setLimits('limited', { queueDepth: null, streams: 3 }));
    expect(changed.limits).toEqual({ ...NO_LIMITS, running: 2, streams: 3 });
    expect(valueOf(await spec.here.accounts.setLimits('limited', {})).limits).toEqual(changed.limits);
  });

  it('are refused where they cannot be, and so is an unknown account', async () => {
    await spec.here.accounts.create('acme', {});
    expect(codeOf(await spec.here.accounts.setLimits('acme', { readBurst: -1 }))).toBe('invalid_request');
    expect(codeOf(await spec.here.accounts.setLimits('nobody', {}))).toBe('not_found');
  });
});
