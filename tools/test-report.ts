import type { Failure, RunReport } from './failure-report.ts';

/** Totals of one part or one check. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** For the list at the end. */
  readonly failures: readonly Failure[];
}

export const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };

/**
 * Totals of a part: its run's report, whether its process ended with 0, and its last error lines, which show what broke
 * after the report. A broken run never counts as passed.
 */
export function tallyOf(
  part: string,
  report: Pick<RunReport, 'passed' | 'skipped' | 'failures'> | null,
  ok: boolean,
  lastWords: readonly string[],
): Tally {
  if (report === null) return failedAs(`${part}: the run ended without a report`, lastWords);
  const silent = !ok && report.failures.length === 0;
  const failures = silent
    ? [{ name: `${part}: the run reported an error outside of its tests`, lines: lastWords }]
    : report.failures;
  return { passed: report.passed, failed: failures.length, skipped: report.skipped, failures };
}

/**
 * Combines the reports of a part's projects. Every spec file must be in one of them: a file neither run nor cached
 * counts as failed. An error outside of tests is in the report of every project of its run, and counts once.
 */
export function combined(files: readonly string[], reports: readonly RunReport[]): RunReport {
  const modules = reports.flatMap((report) => report.modules);
  const told = new Set(modules.map(({ file }) => file));
  const failures = new Map(
    reports.flatMap((report) => report.failures).map((failure) => [JSON.stringify(failure), failure]),
  );
  const missing = files
    .filter((file) => !told.has(file))
    .map((file) => ({ name: `${file}: has no report`, lines: [] }));
  return {
    passed: reports.reduce((count, report) => count + report.passed, 0),
    skipped: reports.reduce((count, report) => count + report.skipped, 0),
    failures: failures.size > 0 ? [...failures.values()] : missing,
    modules,
    outside: reports.flatMap((report) => report.outside),
  };
}

export function failedAs(name: string, lines: readonly string[] = []): Tally {
  return { ...NOTHING, failed: 1, failures: [{ name, lines }] };
}

export function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (total, tally) => ({
      passed: total.passed + tally.passed,
      failed: total.failed + tally.failed,
      skipped: total.skipped + tally.skipped,
      failures: [...total.failures, ...tally.failures],
    }),
    NOTHING,
  );
}

/** The closing line that CI reads. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
