import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isBlobHash } from '@heddle/assets-domain';

/** About 900,000 hashes. */
export const MAX_LIST_BYTES = 64 * 1024 ** 2;

interface ListLines {
  readonly hashes: readonly string[];
  /** Numbers of lines that are neither a hash nor a comment. */
  readonly malformed: readonly number[];
}

/** Reads the file line by line, in batches. Blank lines and those that begin with `#` are left out. */
export async function* readHashList(path: string, batch: number): AsyncGenerator<ListLines> {
  const source = createReadStream(path, { encoding: 'utf8', end: MAX_LIST_BYTES - 1 });
  const lines = createInterface({ input: source, crlfDelay: Infinity });
  let number = 0;
  let [hashes, malformed]: [string[], number[]] = [[], []];
  try {
    for await (const line of lines) {
      number += 1;
      const text = line
        .replace(/^\uFEFF/, '')
        .trim()
        .toLowerCase();
      if (text === '' || text.startsWith('#')) continue;
      if (isBlobHash(text)) hashes.push(text);
      else malformed.push(number);
      if (hashes.length + malformed.length < batch) continue;
      yield { hashes, malformed };
      [hashes, malformed] = [[], []];
    }
    yield { hashes, malformed };
  } finally {
    source.destroy();
  }
}
