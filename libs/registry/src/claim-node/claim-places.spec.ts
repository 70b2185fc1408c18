import { describe, expect, it } from 'vitest';
import { claimPlaces, holdsChallenge } from './claim-places.js';

const FORGES = ['forge.example', 'other.example:8443'];
const hrefs = (repository: string) => claimPlaces(repository, FORGES)?.map(({ href }) => href) ?? null;

describe('the places of a challenge', () => {
  it.each(['https://forge.example/a/b', 'http://forge.example/a/b.git', 'https://FORGE.example/a/b/?x#y'])(
    'of %s are read over HTTPS',
    (repository) => {
      expect(hrefs(repository)).toEqual([
        'https://forge.example/a/b/raw/HEAD/.heddle-claim',
        'https://forge.example/.well-known/heddle-claim',
      ]);
    },
  );

  it.each([
    'https://elsewhere.example/a/b',
    'https://forge.example.evil.example/a/b',
    'https://forge.example@evil.example/a/b',
    'https://user:secret@forge.example/a/b',
    'https://forge.example:22/a/b',
    'https://other.example/a/b',
    'https://127.0.0.1/a/b',
    'https://[::1]/a/b',
  ])('are none for %s', (repository) => {
    expect(hrefs(repository)).toBeNull();
  });

  it('are shown by a line of their own', () => {
    expect(holdsChallenge('x\r\n heddle-claim-1 \r\n', 'heddle-claim-1')).toBe(true);
    expect(holdsChallenge('heddle-claim-12', 'heddle-claim-1')).toBe(false);
  });
});
