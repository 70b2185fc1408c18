import { heddle } from './heddle.js';

export interface CommandOutput {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs one command line inside the test process, for tests without signals and exits; with `columns`, as on a terminal.
 */
export async function heddleInProcess(
  words: readonly string[],
  env: Record<string, string> = {},
  columns?: number,
): Promise<CommandOutput> {
  const written = { out: '', err: '' };
  const stream = (name: 'out' | 'err') => ({
    write: (text: string) => (written[name] += text),
    ...(columns === undefined ? {} : { isTTY: true, columns }),
  });
  const code = await heddle(words, { stdout: stream('out'), stderr: stream('err'), env });
  return { code, ...written };
}
