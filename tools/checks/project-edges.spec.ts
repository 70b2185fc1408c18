import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { projectEdges } from './project-edges.ts';

const made: string[] = [];

afterEach(() => {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true });
});

function tree(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'heddle-edges-'));
  made.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const graphOf = (edges: readonly string[], pages: readonly string[] = []): Parameters<typeof projectEdges>[1] => ({
  nodes: {
    '@heddle/a': { data: { root: 'libs/a', namedInputs: { pages } } },
    '@heddle/b': { data: { root: 'libs/b' } },
  },
  dependencies: { '@heddle/a': edges.map((target) => ({ target })) },
});

const READS_A_PAGE = "const page = new URL('../../../docs/page.md', import.meta.url);";

describe('the check of the graph of projects', () => {
  it('names an import without an edge, of a package and of a file alike', () => {
    const root = tree({
      'libs/a/src/one.ts': "import { b } from '@heddle/b';",
      'libs/a/src/two.spec.ts': "import { b } from '../../b/src/index.ts';",
    });
    expect(projectEdges(root, graphOf([]))).toEqual([
      'libs/a/src/one.ts imports @heddle/b, and Nx knows of no edge from @heddle/a',
      'libs/a/src/two.spec.ts imports @heddle/b, and Nx knows of no edge from @heddle/a',
    ]);
    expect(projectEdges(root, graphOf(['@heddle/b']))).toEqual([]);
  });

  it('wants a file that a spec reads from beyond its project among the inputs', () => {
    const root = tree({ 'docs/page.md': '', 'libs/a/src/one.spec.ts': READS_A_PAGE });
    expect(projectEdges(root, graphOf([]))).toEqual([
      expect.stringContaining('reads docs/page.md, which is no input of @heddle/a'),
    ]);
    expect(projectEdges(root, graphOf([], ['{workspaceRoot}/docs/page.md']))).toEqual([]);
  });

  it('names a file that belongs to no project', () => {
    const root = tree({ 'libs/c/src/one.ts': '' });
    expect(projectEdges(root, graphOf([]))).toEqual(['libs/c/src/one.ts belongs to no project of Nx']);
  });
});
