import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { blocksOf } from './page-blocks.ts';
import type { PageBlock } from './page-blocks.ts';

export interface PageRun {
  /** Where commands run: a folder whose entries are links to those of this one, so that what they write stays outside. */
  readonly root: string;
  readonly env?: Readonly<Record<string, string>>;
}

const PAGE_WITHIN_MS = 120_000;
const OWN_ENTRIES: ReadonlySet<string> = new Set(['.heddle', 'results', '.git']);

/** Runs the blocks of a page as a reader pastes them, in one shell; a line for each block that failed or printed something else. */
export async function runPage(page: string, run: PageRun): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-page-'));
  try {
    const here = mirror(run, folder);
    const log = join(folder, 'log');
    mkdirSync(log);
    const blocks = blocksOf(page);
    const runnable = blocks.filter((block) => isRun(block));
    await shell(runnable.map((block) => script(block, log)).join('\n'), here, run.env ?? {});
    return problemsOf(runnable, log);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How many blocks of commands a page has, and how many of them run on this machine. */
export function countRun(page: string): { readonly commands: number; readonly run: number } {
  const commands = blocksOf(page).filter(({ language }) => language === 'sh');
  return { commands: commands.length, run: commands.filter((block) => isRun(block)).length };
}

function isRun(block: PageBlock): boolean {
  const pasted = block.language === 'sh' || block.file !== null;
  return pasted && block.notRun === null && (block.needs === null || hasCommand(block.needs));
}

function hasCommand(name: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$0"', name], { stdio: 'ignore' }).status === 0;
}

function mirror({ root }: PageRun, folder: string): string {
  const here = join(folder, 'heddle');
  mkdirSync(here);
  for (const entry of readdirSync(root)) {
    if (!OWN_ENTRIES.has(entry)) symlinkSync(join(root, entry), join(here, entry));
  }
  return here;
}

/** A command that fails ends the shell, as does a variable that nothing has set: later blocks would show what no reader sees. */
function script({ language, file, text, line }: PageBlock, log: string): string {
  const name = join(log, String(line));
  if (language !== 'sh') {
    writeFileSync(`${name}.file`, `${text}\n`);
    return `mkdir -p '${dirname(file ?? '')}' && cp '${name}.file' '${file ?? ''}'`;
  }
  return `: >'${name}.begun'\n{\n${text}\n} >'${name}.out' 2>'${name}.err' </dev/null\n: >'${name}.done'`;
}

async function shell(text: string, cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  const path = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  const options = { cwd, env: { ...process.env, ...env, PATH: path }, timeout: PAGE_WITHIN_MS };
  await new Promise<void>((done) => {
    execFile('bash', ['-c', `set -eu -o pipefail\n${text}\n`], options, () => done());
  });
}

function problemsOf(blocks: readonly PageBlock[], log: string): string[] {
  const read = (line: number, kind: string): string => {
    const file = join(log, `${line}.${kind}`);
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  };
  return blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ line, output }) => {
      if (!existsSync(join(log, `${line}.begun`))) return [`line ${line}: not reached`];
      const printed = read(line, 'out');
      const said = [printed, read(line, 'err')].filter((text) => text !== '').join('\n');
      if (!existsSync(join(log, `${line}.done`))) return [`line ${line}: failed:\n${said}`];
      if (output === null || isLike(output, said) || isLike(output, printed)) return [];
      return [`line ${line}: the page shows\n${output}\nand it printed\n${said}`];
    });
}

/** Whether a page shows what was printed: `…` stands for anything, and ids, times, sizes of time and hashes differ from run to run. */
export function isLike(shown: string, printed: string): boolean {
  const parts = formOf(shown)
    .split('…')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*?')}$`).test(formOf(printed));
}

/** The form of a text: what differs from run to run is the same in it. */
export function formOf(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replace(/blake3:[0-9a-f]+/g, 'blake3:HASH')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z/g, 'INSTANT')
    .replace(/\bjob [0-9a-f]{8,13}\b/g, 'job ID')
    .replace(/\b[0-9a-f]{12}\b/g, 'HASH')
    .replace(/\d+(\.\d+)? (ms|s)\b/g, 'TIME')
    .replace(/_\d{5}_/g, '_NUMBER_')
    .replace(/ {2,}/g, ' ')
    .trim();
}
