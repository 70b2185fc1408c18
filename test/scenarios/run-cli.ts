import { spawn } from 'node:child_process';
import { program } from '@heddle/platform-telemetry/program';

export interface Ended {
  readonly code: number | null;
  readonly err: string;
  /** JSON lines of standard output */
  lines(): Record<string, unknown>[];
}

/** Runs the CLI like an operator: a process with the settings of the cluster. */
export async function runCli(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const child = spawn(process.execPath, [...program('cli'), ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  const lines = (): Record<string, unknown>[] =>
    out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { code, err, lines };
}
