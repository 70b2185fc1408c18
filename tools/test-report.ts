/** What a run of one part, or of one check, adds up to. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Names of what failed, for the list at the end. */
  readonly failures: readonly string[];
}

export const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };

interface VitestReport {
  readonly success?: boolean;
  readonly testResults?: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Adds a part's JSON report up; `ok` is whether its process ended with 0. A run that broke never counts as passed. */
export function tallyOf(part: string, report: VitestReport | null, ok: boolean): Tally {
  if (report === null) return { ...NOTHING, failed: 1, failures: [`${part}: the run ended without a report`] };
  const files = report.testResults ?? [];
  const tests = files.flatMap((file) => file.assertionResults.map((test) => ({ ...test, file: file.name })));
  const failures = tests.filter((test) => test.status === 'failed').map((test) => `${test.file}: ${test.fullName}`);
  // A file that cannot be loaded, or whose set-up throws, has no failed test of its own.
  const broken = files
    .filter((file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'))
    .map((file) => `${file.name}: the suite failed to run`);
  const all = [...failures, ...broken];
  if (all.length === 0 && !(ok && report.success !== false))
    all.push(`${part}: the run reported an error outside of its tests`);
  const passed = tests.filter((test) => test.status === 'passed').length;
  return { passed, failed: all.length, skipped: tests.length - passed - failures.length, failures: all };
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
