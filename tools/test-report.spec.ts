import { describe, expect, it } from 'vitest';
import { closingLine, NOTHING, sum, tallyOf } from './test-report.ts';
import { partOf, TEST_PARTS } from './test-parts.ts';

const file = (name: string, status: string, ...tests: string[]) => ({
  name,
  status,
  assertionResults: tests.map((test, index) => ({ status: test, fullName: `${name} ${index}` })),
});

describe('the sum of a test run', () => {
  it('counts passed, failed and skipped tests of every file', () => {
    const report = {
      success: false,
      testResults: [file('a', 'passed', 'passed', 'passed'), file('b', 'failed', 'failed', 'passed', 'pending')],
    };
    expect(tallyOf('unit', report, false)).toEqual({ passed: 3, failed: 1, skipped: 1, failures: ['b: b 0'] });
  });

  it('counts a suite that failed to load as failed, though it has no test', () => {
    const report = { success: false, testResults: [file('a', 'passed', 'passed'), file('b', 'failed')] };
    expect(tallyOf('unit', report, false)).toMatchObject({
      passed: 1,
      failed: 1,
      failures: ['b: the suite failed to run'],
    });
  });

  it('counts an error outside of all tests as failed', () => {
    const report = { success: false, testResults: [file('a', 'passed', 'passed')] };
    expect(tallyOf('unit', report, false)).toMatchObject({ passed: 1, failed: 1 });
    expect(tallyOf('unit', { ...report, success: true }, false)).toMatchObject({ passed: 1, failed: 1 });
  });

  it('counts a run that left no report as failed', () => {
    expect(tallyOf('unit', null, true)).toMatchObject({ passed: 0, failed: 1 });
  });

  it('closes with one line that names skipped tests only where there are some', () => {
    expect(
      closingLine(
        sum([
          { ...NOTHING, passed: 2 },
          { ...NOTHING, passed: 1 },
        ]),
      ),
    ).toBe('3 passed, 0 failed');
    expect(closingLine({ ...NOTHING, passed: 1, failed: 2, skipped: 3 })).toBe('1 passed, 2 failed, 3 skipped');
  });
});

describe('the parts of a test run', () => {
  it.each([
    ['libs/jobs/domain/src/job.spec.ts', 'unit'],
    ['tools/lint-rules.spec.ts', 'unit'],
    ['libs/jobs/src/submit-job/submit-job.int.spec.ts', 'int'],
    ['test/api/post-jobs.spec.ts', 'api'],
    ['apps/cli/src/run/run.e2e.spec.ts', 'e2e'],
    ['test/chaos/kill-service.spec.ts', 'chaos'],
    ['test/somewhere-new/story.spec.ts', 'int'],
  ])('%s belongs to %s', (path, part) => {
    expect(partOf(path)).toBe(part);
  });

  it('claim no path twice', () => {
    for (const path of [
      'test/api/a.spec.ts',
      'libs/a/src/a.spec.ts',
      'libs/a/src/a.int.spec.ts',
      'apps/a/src/a.e2e.spec.ts',
    ])
      expect(TEST_PARTS.filter((part) => part.claims(path))).toHaveLength(1);
  });
});
