import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { program } from '@heddle/platform-telemetry/program';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** The JSON lines of standard output. */
  lines(): Record<string, unknown>[];
}

export interface HeddleProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when standard error contains the text. */
  said(text: string): Promise<void>;
}

/** Runs the CLI as users do: in a separate process, by default in the current folder. */
export function startHeddle(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd?: string,
  stdin: 'ignore' | 'pipe' = 'ignore',
): HeddleProcess {
  return watched(
    spawn(process.execPath, [...program('cli'), ...words], {
      cwd,
      env: { ...process.env, ...env },
      stdio: [stdin, 'pipe', 'pipe'],
    }),
  );
}

function watched(child: ChildProcess): HeddleProcess {
  let out = '';
  let err = '';
  const listeners = new Set<() => void>();
  child.stdout!.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => {
    err += chunk.toString();
    for (const listener of listeners) listener();
  });
  const lines = () =>
    out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const ended = new Promise<Ended>((done) => child.once('close', (code) => done({ code, out, err, lines })));
  const said = (text: string): Promise<void> =>
    new Promise((done, fail) => {
      const look = (): void => (err.includes(text) ? done() : undefined);
      listeners.add(look);
      look();
      void ended.then(() => fail(new Error(`it ended without saying "${text}":\n${err}`)));
    });
  return { child, ended, said };
}

export function runHeddle(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<Ended> {
  return startHeddle(words, env, cwd).ended;
}

/** The same where no file may become larger than 64 KiB. */
export async function runLimited(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const limited = ['-c', 'ulimit -f 64 && exec "$0" "$@"', process.execPath, ...program('cli'), ...words];
  const options = { env: { ...process.env, ...env }, stdio: ['ignore' as const, 'pipe' as const, 'pipe' as const] };
  return await watched(spawn('bash', limited, options)).ended;
}

/** The same with `input` on standard input. */
export async function heddleWithInput(words: readonly string[], input: string): Promise<Ended> {
  const { child, ended } = startHeddle(words, {}, undefined, 'pipe');
  child.stdin!.end(input);
  return await ended;
}
