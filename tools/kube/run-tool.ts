import { spawn } from 'node:child_process';

const MAX_OUTPUT = 64 * 1024 ** 2;
const KEPT_ERROR = 4_000;

export interface ToolEnding {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

const TIMEOUT_MS = 900_000;

/** Runs a program to its end, whatever its exit code. `input`: its standard input. */
export async function toolEnding(program: string, args: readonly string[], input = ''): Promise<ToolEnding> {
  return await new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: 'pipe', timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
    const texts = { out: '', error: '' };
    const keep = (stream: keyof typeof texts) => (text: string) => {
      if (texts[stream].length + text.length > MAX_OUTPUT) child.kill('SIGKILL');
      else texts[stream] += text;
    };
    child.stdout.setEncoding('utf8').on('data', keep('out'));
    child.stderr.setEncoding('utf8').on('data', keep('error'));
    child.once('error', fail);
    child.once('close', (code) => done({ code: code ?? 1, ...texts }));
    // A program that does not read its input ends before it is written.
    child.stdin.once('error', () => undefined).end(input);
  });
}

/** The output of a program; rejects with its last words if it fails. */
export async function toolOutput(program: string, args: readonly string[], input = ''): Promise<string> {
  const { code, out, error } = await toolEnding(program, args, input);
  if (code === 0) return out;
  const words = [program.split('/').at(-1), ...args.slice(0, 3)].join(' ');
  throw new Error(`${words} ended with ${code}: ${(error || out).slice(-KEPT_ERROR).trim()}`);
}
