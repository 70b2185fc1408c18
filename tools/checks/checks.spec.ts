import { describe, expect, it } from 'vitest';
import { docs } from './docs.ts';
import { cycles, importCycles } from './import-cycles.ts';
import { packageLists } from './package-lists.ts';
import { sizeSummary } from './size-summary.ts';
import { testHonesty } from './test-honesty.ts';
import { tree } from './tree.fixture.ts';

describe('the check of import cycles', () => {
  it('finds files that import each other, through .js names and type imports alike', () => {
    const root = tree({
      'libs/a/src/one.ts': "import { two } from './two.js';",
      'libs/a/src/two.ts': "export type { One } from './one.js';",
      'libs/a/src/three.ts': "import { two } from './two.js';",
    });
    expect(importCycles(root)).toEqual(['import each other in a circle: libs/a/src/one.ts, libs/a/src/two.ts']);
  });

  it('lets a diamond pass', () => {
    expect(cycles(new Map(Object.entries({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })))).toEqual([]);
  });
});

describe('the check of package lists', () => {
  const manifest = (name: string, ...lists: string[]): string =>
    JSON.stringify({ name, dependencies: Object.fromEntries(lists.map((list) => [list, '*'])) });

  it('wants every import of ours listed and every listed package referenced', () => {
    const root = tree({
      'libs/a/package.json': manifest('@heddle/a', '@heddle/c'),
      'libs/a/tsconfig.json': '{}',
      'libs/a/src/index.ts': "import { b } from '@heddle/b';",
      'libs/b/package.json': manifest('@heddle/b'),
      'libs/b/tsconfig.json': '{}',
      'libs/c/package.json': manifest('@heddle/c'),
      'libs/c/tsconfig.json': '{}',
    });
    expect(packageLists(root)).toEqual([
      'libs/a/package.json does not list @heddle/b, which its sources import',
      'libs/a/tsconfig.json does not reference @heddle/c, which its package.json lists',
    ]);
  });

  it('reads the fakes of a test kit, which others import, and not those beside the code', () => {
    const root = tree({
      'libs/a/package.json': manifest('@heddle/a'),
      'libs/a/tsconfig.json': '{}',
      'libs/a/src/place.fake.ts': "import { b } from '@heddle/b';",
      'libs/testing/a/package.json': manifest('@heddle/testing-a'),
      'libs/testing/a/tsconfig.json': '{}',
      'libs/testing/a/src/place.fake.ts': "import { b } from '@heddle/b';",
    });
    expect(packageLists(root)).toEqual([
      'libs/testing/a/package.json does not list @heddle/b, which its sources import',
    ]);
  });

  it('is content with a package that lists and references what it imports', () => {
    const root = tree({
      'libs/a/package.json': manifest('@heddle/a', '@heddle/b'),
      'libs/a/tsconfig.json': '{"references":[{"path":"../b"}]}',
      'libs/a/src/index.ts': "import { b } from '@heddle/b';",
      'libs/b/package.json': manifest('@heddle/b'),
      'libs/b/tsconfig.json': '{}',
    });
    expect(packageLists(root)).toEqual([]);
  });
});

describe('the summary of sizes', () => {
  it('counts what only specs load as tests', () => {
    const root = tree({
      'libs/a/src/a.ts': 'x\nx\n',
      'libs/a/src/a.spec.ts': 'x\n',
      'libs/a/src/a.suite.ts': 'x\n',
      'libs/a/src/a.fixture.ts': 'x\n',
      'libs/testing/b/src/b.ts': 'x\n',
    });
    expect(sizeSummary(root)).toMatch(/^1 sources, 2 lines: .*; 2\.00 test lines a source line$/);
  });
});

describe('the check that no test is left out', () => {
  it.each(['skip', 'only', 'todo', 'skipIf'])('refuses a test marked %s', (mark) => {
    const root = tree({ 'libs/a/src/a.spec.ts': `it.${mark}('holds', () => {});` });
    expect(testHonesty(root)).toHaveLength(1);
  });

  it('refuses a handler without a spec in its folder', () => {
    const handler = { 'libs/a/src/do-it/do-it.handler.ts': '' };
    expect(testHonesty(tree(handler))).toEqual(['libs/a/src/do-it: a handler without a spec in its folder']);
    expect(testHonesty(tree({ ...handler, 'libs/a/src/do-it/do-it.int.spec.ts': '' }))).toEqual([]);
  });

  it('refuses a title that wishes', () => {
    const root = tree({ 'libs/a/src/a.spec.ts': "it('should hold', () => {});\nit('holds', () => {});" });
    expect(testHonesty(root)).toHaveLength(1);
  });
});

describe('the check of the documentation', () => {
  const table = { 'libs/validation/src/settings.ts': "depth: wholeNumber('JSON_DEPTH', 64)," };
  const cli = { 'apps/cli/src/assets/x.command.ts': "export const x = {\n  name: 'assets show',\n};" };
  const readme = (text: string): string[] =>
    docs(tree({ ...cli, ...table, 'README.md': text, 'libs/a/src/a.ts': "export const limit = 'HEDDLE_PORT';" }));

  it.each([
    ['a path', '`libs/a/src/b.ts`', '`libs/a/src/a.ts`'],
    ['a symbol', '`libs/a/src/a.ts#depth`', '`libs/a/src/a.ts#limit`'],
    ['a link', '[here](docs/x.md)', '[here](libs/a/src/a.ts)'],
    ['a command', '`npm run cluster`', '`npm run demo`'],
    ['a declared setting', '`HEDDLE_JSON_DEEP`', '`HEDDLE_JSON_DEPTH`'],
    ['a command of the CLI', '`heddle assests show X`', '`heddle assets show X`'],
    ['a setting', '`HEDDLE_PROT`', '`HEDDLE_PORT`'],
  ])('refuses %s that does not exist', (_, wrong, right) => {
    expect(readme(wrong)).toHaveLength(1);
    expect(readme(right)).toEqual([]);
  });

  it('lets a superseded decision name what there was, and keeps its links', () => {
    const adr = (text: string): string[] => docs(tree({ ...cli, ...table, 'docs/decisions/0001-x.md': text }));
    expect(adr('Status: accepted\n\n`libs/a/src/gone.ts`')).toHaveLength(1);
    expect(adr('Status: Superseded by 0002\n\n`libs/a/src/gone.ts`')).toEqual([]);
    expect(adr('Status: Superseded by 0002\n\n[0002](0002-y.md)')).toHaveLength(1);
  });

  it('wants a row per route in the table of where things happen', () => {
    const routes =
      "{\n    method: 'GET',\n    path: '/api/v2/jobs',\n  },\n  {\n    method: 'POST',\n    path: '/api/v2/jobs',\n  },";
    const told = (...rows: string[]): string[] =>
      docs(tree({ 'libs/contracts/api-v2/src/routes.ts': routes, 'ARCHITECTURE.md': rows.join('\n') }));
    expect(told('| `GET /api/v2/jobs` | somewhere |')).toEqual([
      'ARCHITECTURE.md has no row for `POST /api/v2/jobs` in its table of where things happen',
    ]);
    expect(told('| `GET /api/v2/jobs` | here |', '| `POST /api/v2/jobs` | there |')).toEqual([]);
  });
});
