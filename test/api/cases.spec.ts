import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROUTES } from '@heddle/contracts-api-v2';
import { SURFACES } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, '../..');
const GATEWAY = join(ROOT, 'libs/gateway/src');
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

const specs = ['apps', 'libs', 'test'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.spec.ts') && !file.includes('node_modules'))
    .map((file) => join(folder, file)),
);

/** What no case may be left out for: every surface is served, and so are the registry and the partner proxy. */
const SERVED = new RegExp(`${Object.keys(SURFACES).join('|')}|surface|registry|proxy|deliver|later`, 'i');

describe('the table of black-box cases (cases.md)', () => {
  it('has one row for each case of the list', () => {
    expect(rows.map((row) => row.id)).toEqual(IDS);
  });

  it('names a spec file for each case, or the reason why it has none', () => {
    for (const { id, files, note } of rows) {
      if (files.length === 0) expect(note.length, `${id} has neither`).toBeGreaterThan(15);
    }
  });

  it('leaves no case out because of a surface or a service, which are all served', () => {
    const leftOut = rows.filter(({ files }) => files.length === 0);
    expect(leftOut.filter(({ note }) => SERVED.test(note)).map(({ id, note }) => `${id}: ${note}`)).toEqual([]);
    for (const note of ['Registry: a later delivery.', 'Signed URLs: managed and dedicated surfaces only.'])
      expect(note).toMatch(SERVED);
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

describe('the spec files of the API suite', () => {
  const slices = readdirSync(GATEWAY).filter((name) => existsSync(join(GATEWAY, name, `${name}.controller.ts`)));

  it('begin with the name of each slice of the gateway that has a controller', () => {
    const files = readdirSync(HERE).filter((file) => file.endsWith('.e2e.spec.ts'));
    expect(slices.filter((slice) => !files.some((file) => file.startsWith(`${slice}.`)))).toEqual([]);
  });

  it('know every operation by the name of its slice', () => {
    const names = ROUTES.map(({ operation }) => operation.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
    // The document calls itself OpenAPI.
    expect(slices).toEqual(expect.arrayContaining(names.map((name) => name.replace('open-api', 'openapi'))));
  });
});
