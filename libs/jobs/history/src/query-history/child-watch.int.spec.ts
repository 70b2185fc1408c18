import { spawn } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { ChildWatch, type ChildEnd } from './child-watch.js';

const QUESTION = { sql: '', params: {}, files: [], timeoutMs: 60_000, memory: '1MB', parquet: null };
const MEMORY = 'the query needs more memory than 1MB (--memory)';

let watch: ChildWatch | null = null;
afterEach(() => watch?.stop());

const reasonOf = async (program: string, timeoutMs = QUESTION.timeoutMs): Promise<Error> => {
  const child = spawn(process.execPath, ['-e', program], { stdio: 'ignore' });
  watch = new ChildWatch(child, { ...QUESTION, timeoutMs });
  const end = await new Promise<ChildEnd>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  return watch.reason(end);
};

it.each([
  ['process.exit(3)', 'the process of the query ended with 3'],
  ["process.kill(process.pid, 'SIGTERM')", 'the process of the query ended with SIGTERM'],
  ["process.kill(process.pid, 'SIGKILL')", MEMORY],
  ['process.abort()', MEMORY],
])('%s is explained by "%s"', async (program, message) => {
  expect((await reasonOf(program)).message).toBe(message);
});

it('ends a process that goes beyond its time', async () => {
  expect((await reasonOf('setInterval(() => 0, 1000)', 1)).message).toContain('the query took longer than 0.001 s');
});

it.runIf(process.platform === 'linux')('ends a process that goes beyond its memory', async () => {
  const program = 'globalThis.kept = Buffer.alloc(600e6, 1); setInterval(() => 0, 1000)';
  expect((await reasonOf(program)).message).toBe(MEMORY);
});
