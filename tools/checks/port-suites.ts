import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { NOT_SHIPPED, sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';

const PORTS = 'libs/contracts/messages/src/';
/** An exported interface, and the comment right before it. */
const INTERFACE = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export interface (\w+)\b/g;
/** The symbol of a port: a module binds a class to it. */
const BOUND = /export const (\w+) = Symbol\('(\w+)'\)/g;
const IMPLEMENTS = /\bclass (\w+)(?:<[^{]*?>)?(?:\s+extends [^{]+?)?\s+implements ([^{]+?)\s*\{/g;
const SUITE = /`([\w./-]+\.suite\.ts)`/g;
/** Stands in the comment of a port without a second implementation. The reason follows. */
const ALONE = /\bOne\s+implementation:/;
/** Stands in the comment of an interface whose implementations do not stand for each other. The reason follows. */
const UNLIKE = /\bNo\s+suite:/;
const IMPORTED = /\bfrom '([^']+)'/g;
/** The name of the export of a suite. */
const RUN = /^export function (\w+)/gm;

interface Held {
  readonly path: string;
  readonly name: string;
  readonly comment: string;
  /** Classes of the product that implement it. */
  readonly classes: readonly string[];
  /** By which a spec may ask a module for the class that it binds. */
  readonly symbol: string | null;
}

/**
 * Ports between contexts, and interfaces that several classes of the product implement: each names in its comment a
 * conformance suite, which some spec runs on each class, or the reason why there is none.
 */
export function portSuites(root: string): string[] {
  const files = sourceFiles(root, ['apps', 'libs', 'test'], ['.ts']);
  const shipped = files.filter(({ path }) => isShipped(path));
  const libraries = shipped.filter(({ path }) => path.startsWith('libs/'));
  return [
    ...heldInterfaces(libraries).flatMap((held) => problemsOf(root, held, files)),
    ...shipped.flatMap(({ path, text }) =>
      importsOf(text)
        .filter((name) => name.endsWith('-suite'))
        .map((name) => `${path} imports the suite ${name}, which only specs may run`),
    ),
  ];
}

function heldInterfaces(shipped: readonly SourceFile[]): Held[] {
  const classes = new Map<string, string[]>();
  for (const { text } of shipped)
    for (const [, name, list] of text.matchAll(IMPLEMENTS))
      for (const implemented of list!.split(',').map((one) => /\w+/.exec(one)?.[0] ?? ''))
        classes.set(implemented, [...(classes.get(implemented) ?? []), name!]);
  return shipped.flatMap(({ path, text }) =>
    [...text.matchAll(INTERFACE)]
      .map(([, comment = '', name]) => ({
        ...{ path, name: name!, comment: comment.replaceAll(/\n \* ?/g, ' ') },
        classes: classes.get(name!) ?? [],
        symbol: [...text.matchAll(BOUND)].find(([, , bound]) => bound === name)?.[1] ?? null,
      }))
      .filter(({ name, classes: own }) => own.length > 1 || (path.startsWith(PORTS) && name.endsWith('Port'))),
  );
}

function problemsOf(root: string, held: Held, files: readonly SourceFile[]): string[] {
  const { path, name, comment, classes, symbol } = held;
  const suites = [...comment.matchAll(SUITE)].map(([, suite]) => suite!);
  if (suites.length === 0) {
    if (ALONE.test(comment) && classes.length < 2) return [];
    if (UNLIKE.test(comment)) return [];
    return [
      `${path}: ${name} names no \`….suite.ts\` that its implementations pass, nor "One implementation: …" or "No suite: …"`,
    ];
  }
  const absent = suites.filter((suite) => !existsSync(join(root, suite)));
  if (absent.length > 0)
    return absent.map((suite) => `${path}: ${name} names the suite ${suite}, which does not exist`);
  const text = suites.map((suite) => textOfRuns(suite, files)).join('\n');
  const names = (word: string): boolean => new RegExp(`\\b${word}\\b`).test(text);
  // A class that calls another process is made by its name.
  const isBound = (one: string): boolean => symbol !== null && !one.startsWith('Remote') && names(symbol);
  return classes
    .filter((one) => !names(one) && !isBound(one))
    .map((one) => `${path}: no spec runs ${suites.join(' or ')} on ${one}, which implements ${name}`);
}

/** The specs that run a suite, with what they are made of: files of their folders that they import. */
function textOfRuns(suite: string, files: readonly SourceFile[]): string {
  const own = files.find(({ path }) => path === suite);
  const names = [...(own?.text ?? '').matchAll(RUN)].map(([, run]) => run!);
  const isRun = ({ path, text }: SourceFile): boolean =>
    path.endsWith('.spec.ts') && names.some((run) => new RegExp(`\\b${run}\\(`).test(text));
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const seen = new Set(files.filter(isRun).map(({ path }) => path));
  for (const path of seen) {
    const beside = importsOf(texts.get(path)!)
      .filter((to) => to.startsWith('.'))
      .map((to) => join(dirname(path), to).replace(/\.js$/, '.ts'));
    for (const to of beside) if (texts.has(to) && !isShipped(to)) seen.add(to);
  }
  return [...seen].map((path) => texts.get(path)!).join('\n');
}

const isShipped = (path: string): boolean =>
  !NOT_SHIPPED.test(path) && !path.startsWith('libs/testing/') && !path.startsWith('test/');

function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORTED)].map(([, name]) => name!);
}
