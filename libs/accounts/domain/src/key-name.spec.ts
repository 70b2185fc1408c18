import { describe, expect, it } from 'vitest';
import { keyNameProblem } from './key-name.js';

describe('the name of a key', () => {
  it('has no control characters', () => {
    for (const good of [null, 'CI of the web team', '界']) expect(keyNameProblem(good)).toBeNull();
    for (const bad of ['', 'a\nb', '\u009b', 'x'.repeat(101), '\ud800', 7]) expect(keyNameProblem(bad)).not.toBeNull();
  });
});
