import { describe, expect, it } from 'vitest';
import { closingLine, NOTHING, sum, tallyOf } from './test-report.ts';
import { partOf, TEST_PARTS } from './test-parts.ts';

const failure = { name: 'b: b 0', lines: ['Error: no'] };

describe('the sum of a test run', () => {
  it('is what its report says', () => {
    const report = { passed: 3, skipped: 1, failures: [failure] };
    expect(tallyOf('unit', report, false, ['noise'])).toEqual({ ...report, failed: 1 });
  });

  it('counts an error after the report as failed, with the last words of the run', () => {
    const report = { passed: 1, skipped: 0, failures: [] };
    expect(tallyOf('unit', report, true, [])).toEqual({ ...report, failed: 0 });
    expect(tallyOf('unit', report, false, ['error during close'])).toMatchObject({
      passed: 1,
      failed: 1,
      failures: [{ name: 'unit: the run reported an error outside of its tests', lines: ['error during close'] }],
    });
  });

  it('counts a run that left no report as failed', () => {
    expect(tallyOf('unit', null, true, ['out of memory'])).toMatchObject({
      passed: 0,
      failed: 1,
      failures: [{ lines: ['out of memory'] }],
    });
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
    ['tools/test-report.spec.ts', 'unit'],
    ['libs/jobs/src/submit-job/submit-job.int.spec.ts', 'int'],
    ['test/api/post-jobs.spec.ts', 'api'],
    ['apps/cli/src/run/run.e2e.spec.ts', 'e2e'],
    ['test/chaos/kill-service.spec.ts', 'chaos'],
    ['test/charts/render.e2e.spec.ts', 'charts'],
    ['test/charts/score.e2e.spec.ts', 'charts-full'],
    ['test/kube-node/story.e2e.spec.ts', 'verify-node'],
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
      'test/charts/score.e2e.spec.ts',
    ])
      expect(TEST_PARTS.filter((part) => part.claims(path))).toHaveLength(1);
  });
});
