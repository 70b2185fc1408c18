import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closingList, linesOf, type RunReport } from './failure-report.ts';

const ROOT = join(import.meta.dirname, '..');

describe('what an error says', () => {
  it('is its message and where in our own code it comes from', () => {
    const stack = [
      'Error: no',
      '    at node:internal/process:1:1',
      `    at run (file://${ROOT}/node_modules/vitest/a.js:1:1)`,
      `    at start (${ROOT}/test/api/server.ts:3:4)`,
    ].join('\n');
    expect(linesOf({ name: 'Error', message: `no ${ROOT}/test`, stack }, ROOT)).toEqual([
      'Error: no test',
      'at start (test/api/server.ts:3:4)',
    ]);
  });

  it('is cut where it is long, and without the colours of a terminal', () => {
    const message = Array.from({ length: 50 }, (_, line) => `\u001b[31mline ${line}\u001b[39m`).join('\n');
    const lines = linesOf({ name: 'Error', message }, ROOT);
    expect(lines).toHaveLength(8);
    expect(lines[0]).toBe('Error: line 0');
    expect(lines.at(-1)).toBe('[...]');
  });
});

describe('the closing list', () => {
  it('has every name, and messages as long as its lines last', () => {
    const failures = Array.from({ length: 40 }, (_, index) => ({
      name: `test ${index}`,
      lines: Array.from({ length: 12 }, (_line, line) => `line ${line}`),
    }));
    const list = closingList(failures);
    expect(list.filter((line) => line.startsWith('  test '))).toHaveLength(40);
    expect(list.slice(0, 2)).toEqual(['  test 0', '      line 0']);
    expect(list.length).toBeLessThanOrEqual(200 + 40);
  });
});

describe('the report of a run', () => {
  let folder: string;
  beforeEach(() => {
    // Below the root, so that its specs find vitest; the folder's name excludes them from other runs.
    mkdirSync(join(ROOT, '.cache'), { recursive: true });
    folder = mkdtempSync(join(ROOT, '.cache', 'fixtures-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = async (specs: Readonly<Record<string, string>>): Promise<RunReport> => {
    const head = `import { afterAll, beforeAll, describe, expect, it } from 'vitest';\n`;
    for (const [name, text] of Object.entries(specs)) writeFileSync(join(folder, `${name}.spec.ts`), head + text);
    const config = `import { FailureReporter } from ${JSON.stringify(join(ROOT, 'tools/failure-report.ts'))};
      const reporter = new FailureReporter(${JSON.stringify(join(folder, 'report.json'))}, ${JSON.stringify(folder)});
      export default { test: { root: ${JSON.stringify(folder)}, reporters: [reporter] } };`;
    writeFileSync(join(folder, 'vitest.config.ts'), config);
    const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
    await new Promise<void>((done) => {
      execFile(process.execPath, [vitest, 'run', '--root', folder], { cwd: folder }, () => done());
    });
    return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as RunReport;
  };

  it('names the tests, hooks, files and errors outside of tests that failed, each with what it said', async () => {
    const { passed, failures } = await run({
      good: `it('holds', () => expect(1).toBe(1));`,
      bad: `describe('a rule', () => it('is broken', () => expect(1).toBe(2)));`,
      hook: `describe('a server', () => { beforeAll(() => { throw new Error('port taken'); }); it('answers', () => {}); });`,
      file: `throw new Error('not there');`,
      stray: `it('leaves', async () => { void Promise.reject(new Error('nobody awaits')); await new Promise((done) => setTimeout(done, 20)); });`,
    });
    expect(passed).toBe(2);
    const said = new Map(failures.map(({ name, lines }) => [name, lines[0]]));
    expect(said.get('bad.spec.ts: a rule > is broken')).toMatch(/expected 1 to be 2/);
    expect(said.get('hook.spec.ts: a server: its hooks failed')).toBe('Error: port taken');
    expect(said.get('file.spec.ts: the suite failed to run')).toBe('Error: not there');
    const outside = failures.find(({ name }) => name.startsWith('outside of the tests'));
    expect(outside?.name).toMatch(/stray\.spec\.ts.*Unhandled Rejection/);
    expect(outside?.lines[0]).toBe('Error: nobody awaits');
    expect(failures).toHaveLength(4);
  }, 180_000);
});
