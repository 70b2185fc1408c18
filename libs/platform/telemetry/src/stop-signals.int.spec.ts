import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const dist = (file: string): string => JSON.stringify(resolve(import.meta.dirname, '../dist', file));

/** Writes `PID` once it can be stopped, then how it was stopped, also on its terminal and in its log. */
const PROGRAM = `
  import { appendFileSync } from 'node:fs';
  import { createLogger } from ${dist('logger.js')};
  import { onStopSignal } from ${dist('stop-signals.js')};
  const log = createLogger('info');
  onStopSignal((signal) => {
    console.log('stopping'); console.error('stopping'); log.info('stopping');
    setTimeout(() => { log.info('stopped'); appendFileSync(process.env.SEEN, ' ' + signal); process.exit(0); }, 50);
  });
  appendFileSync(process.env.SEEN, String(process.pid));
  setTimeout(() => { appendFileSync(process.env.SEEN, ' went on'); process.exit(0); }, 1500);
`;

let folder: string;
const seen = (): string => {
  try {
    return readFileSync(join(folder, 'seen'), 'utf8');
  } catch {
    return '';
  }
};

async function until(text: RegExp): Promise<string> {
  for (const deadline = Date.now() + 20_000; !text.test(seen()); await delay(10))
    if (Date.now() > deadline) throw new Error(`never came true; it wrote "${seen()}"`);
  return seen();
}

function start(command: string, ...words: readonly string[]) {
  const env = { ...process.env, SEEN: join(folder, 'seen'), PROGRAM };
  return spawn(command, words, { cwd: folder, env, stdio: ['pipe', 'ignore', 'ignore'] });
}

const NODE = `"${process.execPath}" --input-type=module -e "$PROGRAM"`;
/** Runs the command on a terminal of its own, which closes when this process is killed. */
const onTerminal = (command: string) => start('script', '-qec', command, '/dev/null');

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'heddle-stop-signals-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a process that is asked to stop', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('stops on %s', async (signal) => {
    const child = start(process.execPath, '--input-type=module', '-e', PROGRAM);
    await until(/^\d+$/);
    child.kill(signal);
    expect(await until(/ /)).toBe(`${child.pid} ${signal}`);
  });

  it('stops in order when its terminal closes, although nothing can be written any more', async () => {
    const terminal = onTerminal(NODE);
    await until(/^\d+$/);
    terminal.kill('SIGKILL');
    expect(await until(/ /)).toMatch(/^\d+ SIGHUP$/);
  });

  it('goes on when its terminal closes if nohup started it', async () => {
    const terminal = onTerminal(`nohup ${NODE}`);
    await until(/^\d+$/);
    terminal.kill('SIGKILL');
    expect(await until(/ /)).toMatch(/^\d+ went on$/);
  });
});
