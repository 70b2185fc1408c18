import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

interface Difference {
  readonly engine: string;
  readonly heddle: string;
  readonly why: string;
}

const recorded = (name: string): Buffer => readFileSync(new URL(`../../recorded/${name}`, import.meta.url));
const { differences, cases } = JSON.parse(recorded('intended-differences.json').toString()) as {
  readonly differences: Readonly<Record<string, Difference>>;
  readonly cases: Readonly<Record<string, string>>;
};
const page = readFileSync(new URL('../../../../../docs/validation-differences.md', import.meta.url), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.replace(/\s+/g, ' ').trim());

describe('the table of intended differences', () => {
  it('is what the page shows, row by row', () => {
    const expected = Object.entries(differences).map(
      ([name, { engine, heddle, why }]) => `| \`${name}\` | ${engine} | ${heddle} | ${why} |`,
    );
    expect(rows).toEqual(expected);
  });

  it('names every difference that a recorded or derived case shows', () => {
    const derived = gunzipSync(recorded('derived-cases.jsonl.gz'))
      .toString()
      .trim()
      .split('\n')
      .flatMap((line) => (JSON.parse(line) as { difference?: string }).difference ?? []);
    for (const name of [...derived, ...Object.values(cases)]) expect(differences).toHaveProperty([name]);
  });
});
