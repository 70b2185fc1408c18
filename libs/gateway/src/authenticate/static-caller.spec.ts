import { describe, expect, it } from 'vitest';
import { StaticCaller } from './static-caller.js';

const TOKEN = 'a-static-token';
const answer = (token: string | null, authorization?: string) => {
  const headers = authorization === undefined ? {} : { authorization };
  return new StaticCaller(token).of({ headers });
};

describe('the caller behind the static token (api-v2, Authentication 2)', () => {
  it('is the only account with it, and nobody without it', () => {
    expect(answer(TOKEN, `Bearer ${TOKEN}`).ok).toBe(true);
    for (const given of [undefined, `Bearer ${TOKEN}x`]) {
      expect(answer(TOKEN, given)).toMatchObject({ rejection: { code: 'unauthorized' } });
    }
  });

  it('is not asked for anything where no token is set', () => {
    expect([answer(null).ok, answer(null, 'Basic x').ok]).toEqual([true, true]);
  });

  it('is never told what was presented', () => {
    expect(JSON.stringify(answer(TOKEN, 'Bearer canary-4711'))).not.toContain('canary');
  });
});
