import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, '../..');
const IDS = JSON.parse(readFileSync(join(HERE, 'case-ids.json'), 'utf8')) as string[];

interface Row {
  readonly id: string;
  readonly files: readonly string[];
  readonly note: string;
}

const rows: Row[] = [
  ...readFileSync(join(HERE, 'cases.md'), 'utf8').matchAll(/^\| ([A-Z]{2}\d\d) \|(.*)\|(.*)\|$/gm),
].map(([, id, files, note]) => ({
  id: id ?? '',
  files: [...(files ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''),
  note: (note ?? '').trim(),
}));

/** Case ids in the titles of a spec file. */
function casesOf(file: string): Set<string> {
  return new Set(
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\[([A-Z]{2}\d\d)\]/g)].map((match) => match[1] ?? ''),
  );
}

const specs = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.spec.ts'))
  .map((file) => relative(ROOT, join(ROOT, 'test', file)));

describe('the table of black-box cases (cases.md)', () => {
  it('has one row for each case of the list', () => {
    expect(rows.map((row) => row.id)).toEqual(IDS);
  });

  it('names a spec file for each case, or the reason why it has none', () => {
    for (const { id, files, note } of rows) {
      if (files.length === 0) expect(note.length, `${id} has neither`).toBeGreaterThan(15);
    }
  });

  it('names files in which a title names the case', () => {
    for (const { id, files } of rows)
      for (const file of files) expect([...casesOf(file)], `${id} in ${file}`).toContain(id);
  });

  it('knows every case that a title of a spec names', () => {
    for (const file of specs) {
      for (const id of casesOf(file)) {
        expect(rows.find((row) => row.id === id)?.files, `${id} of ${file}`).toContain(file);
      }
    }
  });
});
