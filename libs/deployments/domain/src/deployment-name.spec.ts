import { describe, expect, it } from 'vitest';
import { labelProblem } from './deployment-name.js';

describe('a label', () => {
  it.each(['a', '0', 'alpha', 'a-b', 'a'.repeat(63), 'stg-1', 'xn-a'])('may be %s', (label) => {
    expect(labelProblem(label)).toBeNull();
  });

  it.each(['', '-a', 'a-', 'A', 'a.b', 'a_b', 'ä', 'a'.repeat(64), 'stg', 'managed', 'xn--a', 'ab--'])(
    'must not be %s',
    (label) => {
      expect(labelProblem(label)).not.toBeNull();
    },
  );
});
