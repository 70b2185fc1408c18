import { describe, expect, it } from 'vitest';
import { CREDENTIALS_LOST, lastAttemptLost, ranTooLong, tooManyOutputs } from './job-error-texts.js';

const LAST = { attempt: 3, maxAttempts: 3 };

describe('the texts of failed jobs', () => {
  it.each([
    [CREDENTIALS_LOST],
    [tooManyOutputs(1_000)],
    [ranTooLong(1_500)],
    [lastAttemptLost(LAST, 'expired', null)],
    [lastAttemptLost(LAST, 'engine_lost', null)],
    [lastAttemptLost(LAST, 'handed_back', null)],
    [lastAttemptLost(LAST, 'engine_lost', 'the engine process ended (SIGKILL)')],
  ])('are full sentences: %s', (text) => {
    expect(text).toMatch(/^[A-Z].*[^.]\.$/);
  });

  it('name the limit and the attempt', () => {
    expect(tooManyOutputs(1_000)).toContain('more than 1000 outputs');
    expect(ranTooLong(1_500)).toContain('longer than 1.5 s');
    expect(lastAttemptLost(LAST, 'expired', null)).toBe('Attempt 3 of 3 was lost: the worker did not renew its lease.');
  });

  it('keep the report of a worker, and add no second full stop to it', () => {
    expect(lastAttemptLost(LAST, 'engine_lost', 'The engine is gone.')).toBe(
      'Attempt 3 of 3 was lost: The engine is gone.',
    );
  });
});
