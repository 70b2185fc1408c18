import { describe, expect, it } from 'vitest';
import { combined } from '../test-report.ts';
import { reportOf } from './specs.ts';

const failure = { name: 'libs/b/b.spec.ts: is wrong', lines: ['Error: no'] };
const stray = { name: 'outside of the tests: error', lines: [] };
const a = { file: 'libs/a/a.spec.ts', passed: 2, skipped: 0, failures: [] };
const b = { file: 'libs/b/b.spec.ts', passed: 1, skipped: 1, failures: [failure] };
const run = { passed: 3, skipped: 1, failures: [failure], modules: [a, b], outside: [] };

describe('the report of a run of many projects', () => {
  it('gives each project its own files: one that failed leaves the other a success', () => {
    expect(reportOf([a.file], run, false)).toMatchObject({ passed: 2, failures: [] });
    expect(reportOf([b.file], run, false)).toMatchObject({ passed: 1, skipped: 1, failures: [failure] });
  });

  it('lets every project fail for an error that no test threw, and for a run that broke in silence', () => {
    const broken = { ...run, failures: [failure, stray], outside: [stray] };
    expect(reportOf([a.file], broken, false).failures).toEqual([stray]);
    const silent = { ...run, failures: [], modules: [a] };
    expect(reportOf([a.file], silent, false).failures).toHaveLength(1);
    expect(reportOf([a.file], null, true).failures).toHaveLength(1);
  });

  it('lets a project fail whose file was not run', () => {
    expect(reportOf([a.file, 'libs/a/new.spec.ts'], run, true).failures).toMatchObject([
      { name: 'libs/a/new.spec.ts: was not run' },
    ]);
  });
});

describe('the sum of the reports of projects', () => {
  it('counts a file without a report as failed, and an error of the run once', () => {
    const first = reportOf([a.file], run, true);
    expect(combined([a.file], [first])).toMatchObject({ passed: 2, failures: [] });
    expect(combined([a.file, b.file], [first]).failures).toEqual([{ name: `${b.file}: has no report`, lines: [] }]);
    const strays = { ...first, failures: [stray], outside: [stray] };
    expect(combined([a.file], [strays, strays]).failures).toEqual([stray]);
  });
});
