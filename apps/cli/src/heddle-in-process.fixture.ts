import { heddle } from './heddle.js';

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** One command line inside the test's own process: for what needs no signal and no exit; with columns, as on a terminal. */
export async function heddleInProcess(
  words: readonly string[],
  env: Record<string, string> = {},
  columns?: number,
): Promise<Said> {
  const written = { out: '', err: '' };
  const stream = (name: 'out' | 'err') => ({
    write: (text: string) => (written[name] += text),
    ...(columns === undefined ? {} : { isTTY: true, columns }),
  });
  const code = await heddle(words, { stdout: stream('out'), stderr: stream('err'), env });
  return { code, ...written };
}
