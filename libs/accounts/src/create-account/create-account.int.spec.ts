import { describe, expect, it } from 'vitest';
import { accountsForSpecs, codeOf, NO_LIMITS, TIME, valueOf } from '../accounts-under-test.fixture.js';

describe('the creation of an account', () => {
  const spec = accountsForSpecs();

  it('makes an account once, with limits', async () => {
    const limits = { queueDepth: 7, storageBytes: Number.MAX_SAFE_INTEGER, readRate: 0.5 };
    const made = valueOf(await spec.here.accounts.create('acme', limits));
    expect(made).toEqual({
      accountId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      name: 'acme',
      status: 'active',
      createdAt: expect.stringMatching(TIME) as string,
      limits: { ...NO_LIMITS, ...limits },
    });
    expect(codeOf(await spec.here.accounts.create('acme', {}))).toBe('already_exists');
  });

  it('refuses names and limits that cannot be, naming each', async () => {
    const refused = await spec.here.accounts.create('Acme', { running: -1, streams: 1.5 });
    expect(refused).toMatchObject({
      rejection: {
        code: 'invalid_request',
        details: {
          fields: {
            name: expect.stringMatching(/1 to 63/) as string,
            running: expect.stringMatching(/whole number/) as string,
            streams: expect.stringMatching(/whole number/) as string,
          },
        },
      },
    });
  });
});
