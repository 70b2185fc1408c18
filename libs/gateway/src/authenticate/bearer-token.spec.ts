import { describe, expect, it } from 'vitest';
import { BearerToken } from './bearer-token.js';

const TOKEN = 'a-static-token';

describe('the static bearer token (api-v2, Authentication 2)', () => {
  const bearer = new BearerToken(TOKEN);
  const code = (authorization: string | undefined): string => bearer.check(authorization)?.code ?? 'in';

  it.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER  ${TOKEN} `])('takes %j', (given) =>
    expect(code(given)).toBe('in'),
  );

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    TOKEN,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN} ${TOKEN}`,
    'Bearer töken ☃',
  ])('refuses %j', (given) => expect(code(given)).toBe('unauthorized'));

  it('never repeats what was presented', () => {
    expect(JSON.stringify(bearer.check('Bearer canary-4711'))).not.toContain('canary');
  });

  it('asks for nothing where no token is set', () => {
    expect(new BearerToken(null).check(undefined)).toBeNull();
    expect(new BearerToken(null).check('Basic x')).toBeNull();
  });
});
