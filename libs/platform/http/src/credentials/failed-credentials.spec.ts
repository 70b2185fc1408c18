import { describe, expect, it } from 'vitest';
import { FailedCredentials } from './failed-credentials.js';

describe('wrong credentials', () => {
  it('are told to wait beyond their number a minute, each address for itself', () => {
    const at = { ms: 0 };
    const failures = new FailedCredentials(60, () => at.ms);
    for (let i = 0; i < 60; i++) expect(failures.failed('10.0.0.1')).toBeNull();
    expect(failures.failed('10.0.0.1')).toBe(1);
    expect(failures.failed('10.0.0.2')).toBeNull();
    at.ms += 1_000;
    expect(failures.failed('10.0.0.1')).toBeNull();
    expect(failures.failed('10.0.0.1')).toBe(1);
  });
});
