import type { Failure, RunReport } from './failure-report.ts';

/** What a run of one part, or of one check, adds up to. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** For the list at the end. */
  readonly failures: readonly Failure[];
}

export const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };

/**
 * The sum of a part: what its run reported, whether its process ended with 0, and the last lines it wrote as errors, which
 * tell of what broke after the report. A run that broke never counts as passed.
 */
export function tallyOf(part: string, report: RunReport | null, ok: boolean, lastWords: readonly string[]): Tally {
  if (report === null) return failedAs(`${part}: the run ended without a report`, lastWords);
  const silent = !ok && report.failures.length === 0;
  const failures = silent
    ? [{ name: `${part}: the run reported an error outside of its tests`, lines: lastWords }]
    : report.failures;
  return { passed: report.passed, failed: failures.length, skipped: report.skipped, failures };
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
