import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { blocksOf, unmarkedBlocks } from './page-blocks.ts';
import { countRun, isLike, runPage } from './run-blocks.ts';

const root = mkdtempSync(join(tmpdir(), 'heddle-blocks-'));
writeFileSync(join(root, 'here.txt'), 'here\n');
afterAll(() => rmSync(root, { recursive: true, force: true }));

const sh = (...lines: string[]): string => ['```sh', ...lines, '```'].join('\n');
const shown = (text: string): string => `\n\n\`\`\`text\n${text}\n\`\`\`\n`;
const run = async (page: string): Promise<string[]> => await runPage(page, { root });

describe('a block of commands in a page', () => {
  it('runs in the folder of the page, in one shell with those before it', async () => {
    expect(await run(`${sh('FOUND=$(cat here.txt)')}\n\n${sh('echo "$FOUND" 1')}${shown('here 1')}`)).toEqual([]);
  });

  it('is refused when it fails, with those behind it', async () => {
    const problems = await run(`${sh('cat gone.txt', 'echo on')}\n\n${sh('echo 1')}\n`);
    expect(problems).toEqual([expect.stringContaining('line 2: failed:\ncat: gone.txt'), 'line 7: not reached']);
  });

  it('is refused when it uses a variable that nothing has set', async () => {
    expect(await run(sh('echo "$NOBODY_HAS_SET_THIS"'))).toEqual([expect.stringContaining('line 2: failed')]);
  });

  it('is refused when it prints something else than the page shows', async () => {
    expect(await run(sh('echo one') + shown('two'))).toEqual(['line 2: the page shows\ntwo\nand it printed\none']);
  });

  it('finds the files that the page asks to save', async () => {
    expect(await run(`\`\`\`js saved.txt\nsaved\n\`\`\`\n\n${sh('cat saved.txt')}${shown('saved')}`)).toEqual([]);
  });

  it('is left out with a reason, or where a command is missing', async () => {
    const page = `<!-- not run: why -->\n\n${sh('false')}\n\n<!-- needs: no-such-command -->\n\n${sh('false')}\n`;
    expect(await run(page)).toEqual([]);
    expect(countRun(page)).toEqual({ commands: 2, run: 0 });
    expect(blocksOf(page)[0]).toMatchObject({ notRun: 'why', line: 4 });
  });

  it('stands without prompts, in a list too', async () => {
    expect(unmarkedBlocks('```console\n$ ls\n```\n')).toHaveLength(1);
    expect(unmarkedBlocks(`1. Do\n\n   ${sh('ls').replaceAll('\n', '\n   ')}\n`)).toEqual([]);
    expect(await run(`1. Do\n\n   ${sh('cat here.txt').replaceAll('\n', '\n   ')}\n`)).toEqual([]);
  });
});

describe('what a page shows', () => {
  it('is like what was printed but for ids, times and hashes, and for what … leaves out', () => {
    const printed = '{"id":"01a1fd72-bc11-70ca-9883-26387964a8d5","at":"2026-11-21T09:31:57.333Z","n":1}';
    expect(isLike('{"id":"01a1fd72-0000-70ca-9883-26387964a8d5","at":"2026-01-01T00:00:00Z","n":1}', printed)).toBe(
      true,
    );
    expect(isLike('{"id":"…","n":1}', printed)).toBe(true);
    expect(isLike('{"id":"…","n":2}', printed)).toBe(false);
    expect(isLike('"n":1', printed)).toBe(false);
  });
});
