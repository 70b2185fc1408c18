import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestPart } from './test-parts.ts';

/** How vitest runs specs of a part, by itself or for Nx. */
export interface VitestRun {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where the failure reporter leaves what the run came to; nothing is there yet. */
  readonly report: string;
}

export function vitestRun(reports: string, part: TestPart, files: readonly string[]): VitestRun {
  const report = join(reports, `${part.name}.report.json`);
  mkdirSync(reports, { recursive: true });
  rmSync(report, { force: true });
  const shared = part.sharesWorkers === true ? ['--isolate=false'] : [];
  const json = `--outputFile.json=${join(reports, `${part.name}.json`)}`;
  return {
    args: ['run', json, `--maxWorkers=${part.workers}`, ...shared, ...files],
    env: { ...part.env, TEST_REPORT_FILE: report },
    report,
  };
}
