import { heddle } from './heddle.js';

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** One command line inside the test's own process: for what needs no terminal, no signal and no exit. */
export async function heddleInProcess(words: readonly string[], env: Record<string, string> = {}): Promise<Said> {
  const written = { out: '', err: '' };
  const stream = (name: 'out' | 'err') => ({ write: (text: string) => (written[name] += text) });
  const code = await heddle(words, { stdout: stream('out'), stderr: stream('err'), env });
  return { code, ...written };
}
