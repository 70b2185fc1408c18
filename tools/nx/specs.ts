import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { filesBelow } from '../checks/source-files.ts';
import type { ModuleReport, RunReport } from '../failure-report.ts';
import { partOf, TEST_PARTS } from '../test-parts.ts';
import { vitestRun } from '../vitest-run.ts';
import { allFolders, foldersOf, projectOf, type Context, type Results, type TaskGraph } from './batch.ts';

interface Options {
  readonly part: string;
}

/**
 * Runs the specs of a batch of projects in one vitest: starting one per project takes longer than most specs. The
 * report is split by project; Nx caches each part, so a cached result counts as what it was.
 */
export async function specs(
  graph: TaskGraph,
  options: Readonly<Record<string, Options>>,
  _: unknown,
  context: Context,
): Promise<Results> {
  const results: Record<string, { success: boolean; terminalOutput: string }> = {};
  for (const part of new Set(Object.values(options).map((option) => option.part))) {
    const tasks = foldersOf(graph, context).filter(({ id }) => options[id]?.part === part);
    const files = specFiles(context, part);
    const wanted = tasks.flatMap(({ folder }) => files.get(folder) ?? []);
    const run = wanted.length === 0 ? { ok: true, report: NOTHING } : await runVitest(context.root, part, wanted);
    for (const { id, folder } of tasks) {
      const project = graph.tasks[id]?.target.project ?? id;
      const report = reportOf(files.get(folder) ?? [], run.report, run.ok);
      const path = join(context.root, '.cache', 'test-reports', part, `${project}.json`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(report));
      const failures = report.failures.map(({ name }) => name);
      results[id] = { success: failures.length === 0, terminalOutput: failures.join('\n') };
    }
  }
  return results;
}

const NOTHING: RunReport = { passed: 0, skipped: 0, failures: [], modules: [], outside: [] };

function specFiles(context: Context, part: string): Map<string, string[]> {
  const folders = allFolders(context);
  const found = new Map<string, string[]>();
  for (const path of ['apps', 'libs', 'test', 'tools'].flatMap((folder) => filesBelow(join(context.root, folder)))) {
    const file = relative(context.root, path);
    if (!file.endsWith('.spec.ts') || partOf(file) !== part) continue;
    const folder = projectOf(file, folders) ?? '.';
    found.set(folder, [...(found.get(folder) ?? []), file]);
  }
  return found;
}

/**
 * The part of a run's report for one project. An error outside of tests fails every project of the run: its origin is
 * unknown, and only certain successes may be cached.
 */
export function reportOf(files: readonly string[], run: RunReport | null, ok: boolean): RunReport {
  if (files.length === 0) return NOTHING;
  if (run === null)
    return { ...NOTHING, failures: [{ name: `${files[0] ?? ''}: the run ended without a report`, lines: [] }] };
  const modules = run.modules.filter(({ file }) => files.includes(file));
  const missing = files.filter((file) => !modules.some((module) => module.file === file));
  const failures = [
    ...modules.flatMap((module) => module.failures),
    ...missing.map((file) => ({ name: `${file}: was not run`, lines: [] })),
    ...run.outside,
  ];
  const silent = !ok && run.failures.length === 0;
  return {
    passed: total(modules, 'passed'),
    skipped: total(modules, 'skipped'),
    failures: silent
      ? [{ name: `${files[0] ?? ''}: the run ended with an error outside of its tests`, lines: [] }]
      : failures,
    modules,
    outside: run.outside,
  };
}

function total(modules: readonly ModuleReport[], key: 'passed' | 'skipped'): number {
  return modules.reduce((count, module) => count + module[key], 0);
}

async function runVitest(
  root: string,
  name: string,
  files: readonly string[],
): Promise<{ readonly ok: boolean; readonly report: RunReport | null }> {
  const part = TEST_PARTS.find((entry) => entry.name === name);
  if (part === undefined) throw new Error(`there is no part "${name}" of the tests`);
  const run = vitestRun(join(root, '.cache', 'test-reports'), part, files);
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const env = { ...process.env, ...run.env };
  const child = spawn(process.execPath, [vitest, ...run.args], { cwd: root, env, stdio: 'inherit' });
  const code = await new Promise<number | null>((done, fail) => child.once('exit', done).once('error', fail));
  return { ok: code === 0, report: readReport(run.report) };
}

export function readReport(path: string): RunReport | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RunReport;
  } catch {
    return null;
  }
}
