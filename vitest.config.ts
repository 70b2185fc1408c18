import { defineConfig } from 'vitest/config';
import { FailureReporter } from './tools/failure-report.ts';
import { LongestFirst } from './tools/longest-first.ts';

/** Where `npm test` wants to find what failed; by hand, vitest's own output says it. */
const report = process.env['TEST_REPORT_FILE'];

const SERVERS = ['libs/testing/database/src/global-setup.ts', 'test/api/cluster-servers.ts'];

export default defineConfig({
  // Specs are not part of the libraries' builds, so their decorators need the option here.
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  test: {
    include: ['libs/**/*.spec.ts', 'apps/**/*.spec.ts', 'test/**/*.spec.ts', 'tools/**/*.spec.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/fixtures/**'],
    // One database server for all specs of a run; each spec file has a database of its own on it. Unit specs need nothing.
    globalSetup: process.env['TEST_SERVERS'] === 'none' ? [] : SERVERS,
    // On a machine that does other things too everything takes ten times as long, above all the processes that hooks start.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 60_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    passWithNoTests: true,
    reporters:
      report === undefined ? ['default'] : ['default', 'json', new FailureReporter(report, import.meta.dirname)],
  },
});
