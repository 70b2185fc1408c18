import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { npmPackages } from './npm-packages.ts';

const made: string[] = [];

afterEach(() => {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true });
});

function tree(manifest: object, sources: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'heddle-packages-'));
  made.push(root);
  const files = {
    'package.json': JSON.stringify({ dependencies: { pg: '8.0.1' }, devDependencies: { vitest: '5.0.0' } }),
    'libs/a/package.json': JSON.stringify(manifest),
    ...sources,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

describe('the check of npm packages', () => {
  it('lets a package pass that declares what it imports', () => {
    const root = tree(
      { dependencies: { '@heddle/b': '*', pg: '8.0.1' }, devDependencies: { vitest: '5.0.0' } },
      {
        'libs/a/src/index.ts': "import { readFile } from 'node:fs';\nconst client = await import('pg/lib/client');",
        'libs/a/src/blob-store.suite.ts': "import { it } from 'vitest';",
        'libs/a/src/text.ts': 'export const text = "import x from \'left-pad\'"; // import y from "right-pad"',
      },
    );
    expect(npmPackages(root)).toEqual([]);
  });

  it('names an import that the package does not declare, though the root has it', () => {
    const root = tree(
      {},
      {
        'libs/a/src/index.ts': "import type { Pool } from 'pg';",
        'libs/a/src/a.spec.ts': "import { it } from 'vitest';",
      },
    );
    expect(npmPackages(root)).toEqual([
      'libs/a/package.json does not declare pg in dependencies, which its sources import',
      'libs/a/package.json does not declare vitest in devDependencies, which its specs import',
    ]);
  });

  it('wants shipped code to have its packages in dependencies, not beside the specs', () => {
    const root = tree({ devDependencies: { pg: '8.0.1' } }, { 'libs/a/src/index.ts': "import { Pool } from 'pg';" });
    expect(npmPackages(root)).toEqual([
      'libs/a/package.json does not declare pg in dependencies, which its sources import',
    ]);
  });

  it('refuses another version than the root has, and what nothing imports', () => {
    const root = tree(
      { dependencies: { pg: '^8.0.1', ws: '8.0.0' } },
      { 'libs/a/src/index.ts': "import { Pool } from 'pg';" },
    );
    expect(npmPackages(root)).toEqual([
      'libs/a/package.json declares ws, which nothing in it imports',
      'libs/a/package.json has pg ^8.0.1, and the root has 8.0.1',
      'libs/a/package.json has ws 8.0.0, and the root has none',
    ]);
  });

  it('gives the files of an inner package to that package', () => {
    const root = tree(
      {},
      {
        'libs/a/domain/package.json': JSON.stringify({ dependencies: { pg: '8.0.1' } }),
        'libs/a/domain/src/index.ts': "import 'pg';",
      },
    );
    expect(npmPackages(root)).toEqual([]);
  });
});
