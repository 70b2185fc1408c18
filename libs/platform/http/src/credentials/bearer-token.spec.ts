import { describe, expect, it } from 'vitest';
import { BearerToken } from './bearer-token.js';

const TOKEN = 'a-static-token';

describe('a static bearer token', () => {
  const bearer = new BearerToken(TOKEN);

  it.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER  ${TOKEN} `])('takes %j', (given) =>
    expect(bearer.matches(given)).toBe(true),
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
  ])('refuses %j', (given) => expect(bearer.matches(given)).toBe(false));
});
