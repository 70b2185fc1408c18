import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NX_ENV } from '../lint.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TOOLS = [
  'tools/nx',
  'tools/checks/source-files.ts',
  'tools/failure-report.ts',
  'tools/test-parts.ts',
  'tools/vitest-run.ts',
];
const CONFIG = `import { FailureReporter } from './tools/failure-report.ts';
export default { test: { reporters: [new FailureReporter(process.env.TEST_REPORT_FILE, import.meta.dirname)] } };`;

describe('specs that run through Nx', () => {
  let root: string;

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  /** It notes that it ran: what comes from the cache does not. */
  const spec = (project: string, value: number): void =>
    write(
      `libs/${project}/src/${project}.spec.ts`,
      `import { appendFileSync } from 'node:fs';
       import { expect, it } from 'vitest';
       appendFileSync('.cache/ran', '${project} ');
       it('holds', () => expect(${value}).toBe(1));`,
    );
  const run = (): { readonly code: number | null; readonly ran: readonly string[] } => {
    const nx = join(ROOT, 'node_modules/nx/dist/bin/nx.js');
    const args = [nx, 'run-many', '-t', 'unit', '--excludeTaskDependencies', '--output-style=static'];
    write('.cache/ran', '');
    const { status } = spawnSync(process.execPath, args, { cwd: root, env: { ...process.env, ...NX_ENV } });
    return { code: status, ran: readFileSync(join(root, '.cache/ran'), 'utf8').split(' ').filter(Boolean).sort() };
  };
  const passed = (project: string): number =>
    (JSON.parse(readFileSync(join(root, `.cache/test-reports/unit/${project}.json`), 'utf8')) as { passed: number })
      .passed;

  beforeEach(() => {
    // Beside the sources, so that the copies find what is installed; the folder's name keeps the specs out of other runs.
    mkdirSync(join(ROOT, '.cache'), { recursive: true });
    root = mkdtempSync(join(ROOT, '.cache', 'fixtures-'));
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    for (const path of [...TOOLS, 'nx.json']) cpSync(join(ROOT, path), join(root, path), { recursive: true });
    rmSync(join(root, 'tools/nx/specs.spec.ts'), { force: true });
    write('package.json', JSON.stringify({ name: 'root', private: true, type: 'module', workspaces: ['libs/*'] }));
    write('package-lock.json', JSON.stringify({ name: 'root', lockfileVersion: 3, packages: {} }));
    write('vitest.config.ts', CONFIG);
    for (const name of ['one', 'two']) write(`libs/${name}/package.json`, JSON.stringify({ name, version: '1.0.0' }));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('run again until they pass, and only then come from the cache with their counts', () => {
    spec('one', 1);
    spec('two', 2);
    expect(run()).toEqual({ code: 1, ran: ['one', 'two'] });
    // Successes are cached; failures run again, although nothing has changed.
    expect(run()).toEqual({ code: 1, ran: ['two'] });
    spec('two', 1);
    expect(run()).toEqual({ code: 0, ran: ['two'] });
    rmSync(join(root, '.cache/test-reports'), { recursive: true });
    expect(run()).toEqual({ code: 0, ran: [] });
    expect([passed('one'), passed('two')]).toEqual([1, 1]);
    spec('one', 2);
    expect(run()).toEqual({ code: 1, ran: ['one'] });
  }, 300_000);
});
