// Every check that needs no running service: `npm run lint [-- format eslint types cycles packages patches names tenancy tests docs proto events]`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { patchProblems } from './apply-patches.mjs';
import { docs, pagesOf } from './checks/docs.ts';
import { contributingProblems } from './checks/contributing.ts';
import { importCycles } from './checks/import-cycles.ts';
import { limitsPageProblems } from './checks/limits-page.ts';
import { npmPackages } from './checks/npm-packages.ts';
import { numberProblems } from './checks/numbers.ts';
import { packageLists } from './checks/package-lists.ts';
import { portSuites } from './checks/port-suites.ts';
import { graphAt, projectEdges } from './checks/project-edges.ts';
import { settingsPageProblems } from './checks/settings-page.ts';
import { sizeSummary } from './checks/size-summary.ts';
import { duplicateTypeNames } from './checks/type-names.ts';
import { testHonesty } from './checks/test-honesty.ts';
import { tenancy } from './checks/tenancy.ts';
import { protocols } from './checks/protocols.ts';
import { publishedEventProblems } from './checks/published-events.ts';
import { boundaries } from './lint/boundaries.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** By content: a file is checked again only if it, the rules or Prettier itself changed. */
const PRETTIER_CACHE = ['--cache', '--cache-strategy=content', '--cache-location=.cache/prettier'];

export interface Check {
  readonly name: string;
  readonly title: string;
  /** What is wrong, one line each; none means that the check passed. */
  readonly problems: () => Promise<readonly string[]> | readonly string[];
}

export const CHECKS: readonly Check[] = [
  {
    name: 'format',
    title: 'formatting (npm run format mends it)',
    problems: () => tool('prettier/bin/prettier.cjs', '--list-different', ...PRETTIER_CACHE, '.'),
  },
  { name: 'eslint', title: 'lint rules and boundaries', problems: lintRules },
  {
    name: 'types',
    title: 'types of specs and tools',
    problems: () => tool('tsc7/bin/tsc', '-p', 'tsconfig.specs.json', '--pretty', 'false'),
  },
  { name: 'cycles', title: 'no import cycles', problems: () => importCycles(ROOT) },
  {
    name: 'packages',
    title: 'packages declare what they import',
    problems: () => [...packageLists(ROOT), ...npmPackages(ROOT)],
  },
  { name: 'patches', title: 'installed packages are patched', problems: () => patchProblems(ROOT) },
  { name: 'graph', title: 'the graph of projects has an edge for each import', problems: edges },
  { name: 'names', title: 'one name for one type', problems: () => duplicateTypeNames(ROOT) },
  { name: 'tenancy', title: 'SQL over rows of accounts names the account', problems: () => tenancy(ROOT) },
  {
    name: 'tests',
    title: 'no test is left out, and implementations of one interface pass its suite',
    problems: () => [...testHonesty(ROOT), ...portSuites(ROOT)],
  },
  { name: 'docs', title: 'documentation is true where a check can tell', problems: documentation },
  { name: 'proto', title: 'the protos break no landed version', problems: () => protocols(ROOT) },
  {
    name: 'events',
    title: 'published events are what the codec gives and what was released',
    problems: () => publishedEventProblems(ROOT),
  },
];

async function documentation(): Promise<readonly string[]> {
  const current = pagesOf(ROOT).filter(([name]) => !name.startsWith('docs/decisions/'));
  const numbers = await numberProblems(ROOT, current);
  const contributing = contributingProblems(ROOT, boundaries.depConstraints);
  return [...docs(ROOT), ...contributing, ...settingsPageProblems(ROOT), ...limitsPageProblems(ROOT), ...numbers];
}

async function edges(): Promise<readonly string[]> {
  await projectGraph();
  return projectEdges(ROOT, graphAt(join(ROOT, '.cache/project-graph.json')));
}

/** By project, with a cache: a project is linted again if it, its imports or the rules changed. */
async function lintRules(): Promise<readonly string[]> {
  await projectGraph();
  return tool('nx/dist/bin/nx.js', 'run-many', '-t', 'eslint', '--output-style=static');
}

/** Nx for one command on one machine: no daemon, no terminal UI, no network. */
export const NX_ENV = { NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true', FORCE_COLOR: '0' };

/**
 * The boundary rule reads the project graph from Nx's cache and checks nothing without it. Created once per full run,
 * because parts must not create it concurrently.
 */
export async function projectGraph(): Promise<void> {
  if (process.env['PROJECT_GRAPH'] === 'made') return;
  const failed = await tool('nx/dist/bin/nx.js', 'graph', '--file=.cache/project-graph.json');
  if (failed.length > 0) throw new Error(`the graph of projects cannot be made:\n${failed.join('\n')}`);
  process.env['PROJECT_GRAPH'] = 'made';
}

async function tool(path: string, ...args: string[]): Promise<readonly string[]> {
  const env = { ...process.env, ...NX_ENV };
  const child = spawn(process.execPath, [join(ROOT, 'node_modules', path), ...args], { cwd: ROOT, env });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((done, fail) => child.once('close', done).once('error', fail));
  if (code === 0) return [];
  const text = Buffer.concat(output).toString().trim();
  return text === '' ? [`${path} ended with exit code ${code}`] : text.split('\n');
}

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !CHECKS.some((check) => check.name === name));
  if (unknown.length > 0) {
    process.stderr.write(`no check ${unknown.join(', ')}; there are ${CHECKS.map((check) => check.name).join(', ')}\n`);
    return 2;
  }
  let failed = 0;
  for (const check of CHECKS.filter((entry) => names.length === 0 || names.includes(entry.name))) {
    const startedAt = Date.now();
    const problems = await check.problems();
    if (problems.length > 0) failed += 1;
    for (const problem of problems) process.stdout.write(`  ${problem}\n`);
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${check.title} (${seconds} s)\n`);
  }
  process.stdout.write(`${sizeSummary(ROOT)}\n`);
  return failed === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
