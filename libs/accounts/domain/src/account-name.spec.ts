import { describe, expect, it } from 'vitest';
import { accountNameProblem } from './account-name.js';

describe('the name of an account', () => {
  it.each(['a', '0', 'acme', 'a.b_c-d', 'x'.repeat(63)])('may be %j', (name) =>
    expect(accountNameProblem(name)).toBeNull(),
  );
  it.each(['', '.a', '-a', '_a', 'A', 'ä', 'a b', 'a/b', 'a\n', 'x'.repeat(64), null, 7])('must not be %j', (name) =>
    expect(accountNameProblem(name)).toContain('must be 1 to 63 characters'),
  );
});
