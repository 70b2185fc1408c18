import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { projectOf } from '../nx/batch.ts';
import { CODE_FOLDERS, sourceFiles } from './source-files.ts';

interface Graph {
  readonly nodes: Readonly<
    Record<
      string,
      { readonly data: { readonly root: string; readonly namedInputs?: { readonly pages?: readonly string[] } } }
    >
  >;
  readonly dependencies: Readonly<Record<string, readonly { readonly target: string }[]>>;
}

const READ = /new URL\(\s*['"`]((?:\.\.\/)+[^'"`$]*)/g;

/**
 * Nx's graph decides what runs again after a change: each import of another project needs an edge, and a file read from
 * beyond the project needs a path along edges, or a line in the project's `pages`.
 */
export function projectEdges(root: string, graph: Graph): string[] {
  const folders = new Map(Object.entries(graph.nodes).map(([name, { data }]) => [data.root, name]));
  const roots = [...folders.keys()];
  const nameOf = (path: string): string | undefined => folders.get(projectOf(path, roots) ?? '');
  return sourceFiles(root, CODE_FOLDERS, ['.ts', '.mjs']).flatMap(({ path, text }) => {
    const from = nameOf(path);
    if (from === undefined) return [`${path} belongs to no project of Nx`];
    const edges = new Set((graph.dependencies[from] ?? []).map(({ target }) => target));
    const imported = importsOf(text).map((name) =>
      name.startsWith('.') ? nameOf(beside(path, name)) : name.split('/').slice(0, 2).join('/'),
    );
    const read = [...text.matchAll(READ)]
      .map((match) => beside(path, match[1] ?? ''))
      .filter((to) => existsSync(join(root, to)));
    return [
      ...new Set(
        imported
          .filter((to) => to !== undefined && to !== from && !edges.has(to))
          .map((to) => `${path} imports ${to ?? ''}, and Nx knows of no edge from ${from}`),
      ),
      ...read
        .filter((to) => !isInput(graph, from, to, nameOf(to)))
        .map(
          (to) =>
            `${path} reads ${to}, which is no input of ${from}: name it in "pages" of its package.json or project.json`,
        ),
    ];
  });
}

function isInput(graph: Graph, from: string, path: string, owner: string | undefined): boolean {
  const pages = graph.nodes[from]?.data.namedInputs?.pages ?? [];
  if (pages.includes(`{workspaceRoot}/${path}`)) return true;
  // Folders at the root only hold programs and caches; their content is not read.
  return owner === undefined
    ? !path.includes('/') || path.startsWith('.') || path.startsWith('node_modules')
    : reach(graph, from).has(owner);
}

function reach(graph: Graph, from: string): Set<string> {
  const seen = new Set([from]);
  for (const name of seen) for (const { target } of graph.dependencies[name] ?? []) seen.add(target);
  return seen;
}

function importsOf(text: string): string[] {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.') || name.startsWith('@heddle/'));
}

const beside = (path: string, name: string): string =>
  relative('/', resolve('/', dirname(path), name)).replaceAll('\\', '/');

export function graphAt(path: string): Graph {
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly graph: Graph }).graph;
}
