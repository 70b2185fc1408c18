import { describe, expect, it } from 'vitest';
import type { CliFailure } from '../failure.js';
import { oneJob, shortLength, uniqueMatch } from './job-id.js';

const FIRST = '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10';
const SECOND = '0199f2a4-7c12-7001-8000-3b6f00000d10';

describe('a job on the command line', () => {
  it.each([FIRST, '2f1c9d10', '0199F2A4', '9d10', '7c11-7d9e'])('may be %s', (word) => {
    expect(oneJob([word], 'watch')).toBe(word.toLowerCase());
  });

  it.each([
    `http://127.0.0.1:8189/api/v2/jobs/${FIRST}`,
    `/api/v2/jobs/${FIRST}`,
    `https://a.example/x/api/v2/jobs/${FIRST}/`,
  ])('may be its URL, %s', (word) => {
    expect(oneJob([word], 'watch')).toBe(FIRST);
  });

  it.each([
    'http://127.0.0.1:8189/api/v2/assets/0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10',
    '17',
    'jobs',
    '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d100',
    '',
  ])('may not be %j', (word) => {
    expect(() => oneJob([word], 'watch')).toThrow(expect.objectContaining({ exitCode: 2 }) as CliFailure);
  });

  it('is the only one that begins or ends with the word', () => {
    expect(uniqueMatch([FIRST, SECOND], '9d10')).toBe(FIRST);
    expect(uniqueMatch([FIRST, SECOND], '0199f2a4-7c12')).toBe(SECOND);
    expect(uniqueMatch([], FIRST)).toBe(FIRST);
  });

  it('is refused with the candidates where several fit, and with what was searched where none does', () => {
    expect(() => uniqueMatch([FIRST, SECOND], '0199')).toThrow(
      expect.objectContaining({ exitCode: 2, nextStep: `${FIRST}\n${SECOND}` }) as CliFailure,
    );
    expect(() => uniqueMatch([FIRST, SECOND], 'aaaa')).toThrow('none of the newest 1000 jobs');
  });

  it('is shown with as many characters as distinguish it from the others', () => {
    expect(shortLength([FIRST, SECOND])).toBe(8);
    expect(shortLength([FIRST, FIRST.replace('3b6f', '4b6f')])).toBe(12);
    expect(shortLength([])).toBe(8);
  });
});
