// Runs every check and every spec: `npm test`, or a part of it with `npm test -- checks unit api`. A word that names
// no part selects specs by path. The last line is `N passed, N failed`.
import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { filesBelow } from './checks/source-files.ts';
import { CHECKS, NX_ENV, projectGraph } from './lint.ts';
import type { Check } from './lint.ts';
import { startInstallation, type Installation } from './install-servers.ts';
import { closingList } from './failure-report.ts';
import { specsOf, TEST_PARTS, type TestPart } from './test-parts.ts';
import { readReport } from './nx/specs.ts';
import { closingLine, combined, failedAs, NOTHING, sum, tallyOf, type Tally } from './test-report.ts';
import { vitestRun } from './vitest-run.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const REPORTS = join(ROOT, '.cache', 'test-reports');

const STOP_WITHIN_MS = 10_000;
const POLL_MS = 50;
const ERRORS_WITHIN_MS = 2_000;
/** For a run that broke without a location, and for a check. */
const LAST_LINES = 12;
const LAST_CHARACTERS = 8_000;

const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const secondsSince = (start: number): string => `${((Date.now() - start) / 1000).toFixed(1)} s`;

let running: ChildProcess | null = null;
let stopped = false;

async function main(words: readonly string[]): Promise<number> {
  const startedAt = Date.now();
  const parts = words.filter((word) => word === 'checks' || TEST_PARTS.some((part) => part.name === word));
  const paths = words.filter((word) => !parts.includes(word));
  // A spec named by its path runs once, not on every topology.
  const repeats = (name: string): boolean => TEST_PARTS.some((part) => part.name === name && part.again !== undefined);
  const byItself = (name: string): boolean =>
    TEST_PARTS.some((part) => part.name === name && (part.onlyByName === true || part.onlyWith !== undefined));
  const wanted = (name: string): boolean =>
    (words.length === 0 && !byItself(name)) ||
    parts.includes(name) ||
    (parts.length === 0 && words.length > 0 && name !== 'checks' && !repeats(name));
  const specs = specFiles().filter((path) => paths.length === 0 || paths.some((word) => path.includes(word)));
  const needs = (needed: (part: TestPart) => boolean | undefined): boolean =>
    TEST_PARTS.some((part) => needed(part) === true && wanted(part.name) && specsOf(part, specs).length > 0);
  const servers = needs((part) => part.onServers) ? startInstallation(ROOT, 'servers', say) : null;
  const kinds = ['further chart tools', 'chart tools'] as const;
  // The first kind includes the second.
  const kind = kinds.find((one) => needs((part) => part.onChartTools === one));
  const chartTools = kind === undefined ? null : startInstallation(ROOT, kind, say);
  const obstacleOf = async (part: TestPart): Promise<string | null> => {
    if (part.onServers === true) return await obstacleTo(servers);
    return part.onChartTools !== undefined ? await obstacleTo(chartTools) : missingVariable(part);
  };

  const tallies: Tally[] = [];
  // If it fails, the check that needs it reports why.
  if (wanted('checks')) await projectGraph().catch(() => undefined);
  const beside = TEST_PARTS.find((part) => part.besideChecks === true && wanted(part.name));
  if (wanted('checks') && beside === undefined) tallies.push(...(await runChecks()));
  // The longest of them continues beside the next part.
  let checks: Promise<readonly Tally[]> = Promise.resolve([]);
  for (const part of TEST_PARTS) {
    const files = wanted(part.name) ? specsOf(part, specs) : [];
    if (files.length === 0 || stopped) continue;
    if (part === beside && wanted('checks')) checks = runChecks();
    const obstacle = await obstacleOf(part);
    tallies.push(obstacle === null ? await runPart(part, files, paths.length > 0) : notRun(part, files, obstacle));
  }
  tallies.unshift(...(await checks));
  servers?.stop();
  chartTools?.stop();

  let total = sum(tallies);
  if (stopped) total = sum([total, failedAs('the run was interrupted')]);
  if (total.passed + total.failed === 0) total = sum([total, failedAs('no test was found')]);
  say(total.failures.length === 0 ? '\neverything passed' : ['\nfailed:', ...closingList(total.failures)].join('\n'));
  say(`total time ${secondsSince(startedAt)}`);
  say(closingLine(total));
  return total.failed === 0 ? 0 : 1;
}

function missingVariable({ onlyWith }: TestPart): string | null {
  if (onlyWith === undefined || (process.env[onlyWith] ?? '') !== '') return null;
  return `${onlyWith} is unset: it names what to run against, e.g. http://127.0.0.1:8188`;
}

function specFiles(): string[] {
  return ['apps', 'libs', 'test', 'tools']
    .flatMap((folder) => filesBelow(join(ROOT, folder)))
    .filter((path) => path.endsWith('.spec.ts'))
    .map((path) => relative(ROOT, path))
    .sort();
}

/** All in parallel, reported together: the long ones are one process each. */
async function runChecks(): Promise<Tally[]> {
  const startedAt = Date.now();
  const runs = CHECKS.map(async (check) => {
    const problems = await problemsOf(check);
    return { check, problems, took: secondsSince(startedAt) };
  });
  const results = await Promise.all(runs);
  say('\n== checks');
  const tallies: Tally[] = [];
  for (const { check, problems, took } of results) {
    for (const problem of problems) say(`  ${problem}`);
    say(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${check.title} (after ${took})`);
    const name = `check: ${check.title}`;
    tallies.push(problems.length === 0 ? { ...NOTHING, passed: 1 } : failedAs(name, problems.slice(0, LAST_LINES)));
  }
  return tallies;
}

/** A check that throws is a problem too, and must not end the run. */
async function problemsOf(check: Check): Promise<readonly string[]> {
  try {
    return await check.problems();
  } catch (error) {
    return [String(error)];
  }
}

async function obstacleTo(servers: Installation | null): Promise<string | null> {
  return (await servers?.done) ?? null;
}

/** Without its servers a part fails; ALLOW_SKIP=1 is for machines that cannot have them. */
function notRun(part: TestPart, files: readonly string[], obstacle: string): Tally {
  const allowed = process.env['ALLOW_SKIP'] === '1';
  say(`\n== ${part.title} (${files.length} files)\n${allowed ? 'skipped' : 'FAILED'}: ${obstacle}`);
  if (allowed) return { ...NOTHING, skipped: files.length };
  return failedAs(`${part.name} did not run (ALLOW_SKIP=1 leaves it out)`, obstacle.split('\n').slice(0, LAST_LINES));
}

async function runPart(part: TestPart, files: readonly string[], named: boolean): Promise<Tally> {
  const startedAt = Date.now();
  say(`\n== ${part.title} (${files.length} files)`);
  const tally = part.cached === true && !named ? await runCached(part, files) : await runAll(part, files);
  say(`== ${part.title}: ${closingLine(tally)} (${secondsSince(startedAt)})`);
  return tally;
}

/** By project, through Nx: unchanged projects are not run again, and count by their cached report. */
async function runCached(part: TestPart, files: readonly string[]): Promise<Tally> {
  const reports = join(REPORTS, part.name);
  rmSync(reports, { recursive: true, force: true });
  // The launcher has compiled everything.
  const args = ['run-many', '-t', part.name, '--excludeTaskDependencies', '--output-style=static'];
  const { code, lastWords } = await runTool('nx/dist/bin/nx.js', args, NX_ENV);
  const found = filesBelow(reports)
    .map(readReport)
    .filter((report) => report !== null);
  return tallyOf(part.name, combined(files, found), code === 0, lastWords);
}

async function runAll(part: TestPart, files: readonly string[]): Promise<Tally> {
  const { args, env, report } = vitestRun(REPORTS, part, files);
  const { code, lastWords } = await runTool('vitest/vitest.mjs', args, env);
  return tallyOf(part.name, readReport(report), code === 0, lastWords);
}

interface Ending {
  readonly code: number | null;
  /** The last lines on standard error. */
  readonly lastWords: readonly string[];
}

/** In its own process group, so that everything a spec started is stopped with it. */
function runTool(path: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ending> {
  const child = spawn(process.execPath, [join(ROOT, 'node_modules', path), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'pipe'],
    detached: true,
  });
  running = child;
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk);
    errors = (errors + chunk.toString()).slice(-LAST_CHARACTERS);
  });
  const read = new Promise<void>((done) => child.stderr.once('close', done));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => {
      const emptied = emptyGroup(child).then(() => (running = null));
      const lines = (): string[] =>
        stripVTControlCharacters(errors)
          .split('\n')
          .filter((line) => line.trim() !== '');
      // A process that left the group may hold the pipe for longer.
      const late = delay(ERRORS_WITHIN_MS, undefined, { ref: false });
      void Promise.all([emptied, Promise.race([read, late])]).then(() =>
        done({ code, lastWords: lines().slice(-LAST_LINES) }),
      );
    });
  });
}

/** A stopping service also ends its database server, which is in no group of ours; a killed one leaves it running. */
async function emptyGroup(child: ChildProcess): Promise<void> {
  const deadline = performance.now() + STOP_WITHIN_MS;
  signalGroup(child, 'SIGTERM');
  while (signalGroup(child, 0) && performance.now() < deadline) await delay(POLL_MS);
  signalGroup(child, 'SIGKILL');
}

/** False: the group is empty. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return child.pid !== undefined && process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (stopped && running !== null) signalGroup(running, 'SIGKILL');
    stopped = true;
    const group = running;
    if (group === null) return;
    signalGroup(group, 'SIGTERM');
    setTimeout(() => signalGroup(group, 'SIGKILL'), STOP_WITHIN_MS).unref();
  });
}

// Most spec files run in a separate process that loads a thousand modules, and services load bundles of megabytes.
process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'node_modules', '.cache', 'heddle', 'compiled');
process.exitCode = await main(process.argv.slice(2));
