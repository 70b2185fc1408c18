import { describe, expect, it } from 'vitest';
import { scopesProblem } from './scopes.js';

describe('the scopes of a key', () => {
  it('are a list of known ones', () => {
    const known = ['a:read', 'a:write'];
    expect(scopesProblem([], known)).toBeNull();
    expect(scopesProblem(['a:write', 'a:write'], known)).toBeNull();
    for (const bad of [['b:read'], 'a:read', null, [7], { length: 0 }])
      expect(scopesProblem(bad, known)).toContain('a:read, a:write');
  });
});
