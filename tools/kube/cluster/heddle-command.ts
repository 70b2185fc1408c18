import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { program } from '@heddle/platform-telemetry/program';

const KEPT_ERROR = 2_000;

/** Lines of `heddle … --json`. `env`: settings beside the PATH. Rejects with what the command printed as its error. */
export async function heddleJson(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>[]> {
  const options = { env: { PATH: process.env['PATH'] ?? '', ...env }, encoding: 'utf8' } as const;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...program('cli'), ...words, '--json'],
    options,
  ).catch((error: unknown) => {
    const { stderr = '' } = error as { readonly stderr?: string };
    throw new Error(`heddle ${words.slice(0, 3).join(' ')} failed: ${stderr.slice(-KEPT_ERROR).trim()}`);
  });
  return stdout
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
