import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOT_SHIPPED, sourceFiles } from './source-files.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'docs/runbooks');
const OBSERVABILITY = readFileSync(join(ROOT, 'docs/observability.md'), 'utf8');
const CODE = sourceFiles(ROOT, ['apps', 'libs'], ['.ts'])
  .filter(({ path }) => !NOT_SHIPPED.test(path))
  .map(({ text }) => text)
  .join('\n');
const PAGES = readdirSync(FOLDER)
  .filter((name) => name !== 'README.md')
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

/** What the pages quote of a log: the messages of its lines, and quotes of at least four words after `log`. */
function logTexts(text: string): readonly string[] {
  const lines = [...text.matchAll(/"msg":"([^"]+)"/g)].map(([, message]) => message!);
  const steps = text.split('\n').filter((line) => /\blog\b/i.test(line) && !line.startsWith('{'));
  const quotes = steps.flatMap((line) =>
    [...line.matchAll(/`([a-z][a-z ]+ [a-z ]+ [a-z ]+)`/g)].map(([, quote]) => quote!),
  );
  // The part behind a colon is the reason.
  return [...lines, ...quotes].map((message) => message.split(':')[0]!);
}

/** Texts that are put together, commands, and messages of PostgreSQL and OpenSSL. */
const NOT_OURS = [
  /^the (?:video|image) vendor refuses/,
  /^(?:heddle|select) /,
  /^canceling statement due to lock timeout$/,
  /^(?:password authentication failed|is not permitted to log in)$/,
  /^key values mismatch$/,
];

describe.each(PAGES)('the runbook $name', ({ text }) => {
  it('says what was seen', () => expect(text).toMatch(/\n## Seen\n\n\S/));

  it('names metrics that docs/observability.md lists', () => {
    for (const [metric] of text.matchAll(/\bheddle_[a-z_]+?(?=_(?:bucket|count|sum)\b|\b)/g)) {
      // Roles of the database have such names too.
      if (/^heddle_(?:assets|jobs|logs|accounts|deployments|registry)$/.test(metric)) continue;
      expect(OBSERVABILITY).toContain(`\`${metric}\``);
    }
  });

  it('quotes texts of the log that the code has', () => {
    const ours = logTexts(text).filter((message) => !NOT_OURS.some((pattern) => pattern.test(message)));
    expect(ours.filter((message) => !CODE.includes(message))).toEqual([]);
  });
});
