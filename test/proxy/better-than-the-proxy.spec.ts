import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, '../..');

const rows = [
  ...readFileSync(join(HERE, 'better-than-the-proxy.md'), 'utf8').matchAll(
    /^\| (.+?) \|(.+?)\| `([^`]+)`: (.+?) *\|$/gm,
  ),
].map(([, what, , file, title]) => ({ what: what!.trim(), file: file!, title: title!.trim() }));

/** Titles of the tests in a file. */
function titlesOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/(?:it|describe)[^'"`]*?\(\s*(['"`])([\s\S]*?)\1\s*,|\(\s*(['"`])([^'"`\n]{10,})\3,/g)].map(
    (match) => match[2] ?? match[4] ?? '',
  );
}

describe('the table of what is better than the public proxy', () => {
  it('has its rows', () => expect(rows.length).toBeGreaterThanOrEqual(35));

  it.each(rows)('$what: $file holds it', ({ file, title }) => {
    expect(existsSync(join(ROOT, file)), file).toBe(true);
    const wanted = /^[A-Z]{2}\d\d$/.test(title) ? `[${title}]` : title;
    expect(
      titlesOf(file).some((found) => found.includes(wanted)),
      `${file} has no test whose title says "${wanted}"`,
    ).toBe(true);
  });
});
