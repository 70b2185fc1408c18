import { describe, expect, it } from 'vitest';
import { accountsForSpecs, codeOf, valueOf } from '../accounts-under-test.fixture.js';

describe('the suspension of an account', () => {
  const spec = accountsForSpecs();

  it('suspends and resumes, also twice', async () => {
    await spec.here.accounts.create('paused', {});
    for (const [call, status] of [
      ['suspend', 'suspended'],
      ['suspend', 'suspended'],
      ['resume', 'active'],
    ] as const)
      expect(valueOf(await spec.here.accounts[call]('paused')).status).toBe(status);
  });

  it('refuses an unknown account', async () => {
    for (const call of ['suspend', 'resume'] as const)
      expect(codeOf(await spec.here.accounts[call]('nobody'))).toBe('not_found');
  });
});
