import { validateSync } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { ReportBody } from './report-body.dto.js';

const problemsOf = (fields: object): readonly string[] =>
  validateSync(new ReportBody({ ...fields })).map(({ property }) => property);

describe('the body of a report', () => {
  it.each(['malware', 'spam', 'impersonation', 'other'])('may have the reason %s, without a message', (reason) => {
    expect(problemsOf({ reason })).toEqual([]);
    expect(new ReportBody({ reason, message: null }).toReport()).toEqual({ reason, message: '' });
  });

  it.each([undefined, null, '', 'Spam', 'ugly', ['spam'], 1])('may not have the reason %j', (reason) => {
    expect(problemsOf({ reason })).toEqual(['reason']);
  });

  it('has a message of 1,000 code points at most, which the log can hold', () => {
    expect(problemsOf({ reason: 'spam', message: '😀'.repeat(1_000) })).toEqual([]);
    for (const message of ['😀'.repeat(1_001), 'a\0b', '\ud800', 5]) {
      expect(problemsOf({ reason: 'spam', message })).toEqual(['message']);
    }
  });
});
