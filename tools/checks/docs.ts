import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow, sourceFiles } from './source-files.ts';

const PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'GLOSSARY.md', 'SECURITY.md', 'CHANGELOG.md'];
const OWN_PATH = /^(?:apps|libs|tools|test|docs|charts|deploy|docker|\.ci)\/[\w./@-]*$|^[\w.-]+\.(?:md|json|mjs|ts)$/;
const CODE_SPAN = /`([^`\n]+)`/g;
const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g;
const SUPERSEDED = /^Status: superseded by \[?\d{4}/im;
const SETTING = /\bHEDDLE_[A-Z0-9]+(?:_[A-Z0-9]+)*\b/g;

/**
 * What the documentation names exists: paths, symbols, links, commands, settings, and a table row per route. Every page is named by
 * the list of its folder.
 */
export function docs(root: string): string[] {
  const scripts = scriptsOf(root);
  const settings = settingsOf(root);
  const cliCommands = cliCommandsOf(root);
  const problems = pagesOf(root).flatMap(([here, text]) => {
    const page = join(root, here);
    // A superseded decision names what there was, and is never rewritten.
    if (SUPERSEDED.test(text)) return links(page, text).map((problem) => `${here} ${problem}`);
    return [
      ...namedPaths(root, text),
      ...links(page, text),
      ...commands(text, scripts),
      ...heddleCommands(text, cliCommands),
      ...[...new Set(text.match(SETTING) ?? [])]
        .filter((setting) => !settings.has(setting))
        .map((setting) => `names the setting ${setting}, which no source reads`),
    ].map((problem) => `${here} ${problem}`);
  });
  return [...problems, ...missingRoutes(root), ...metricsTable(root), ...unlistedPages(root)];
}

/** Every page, by its path from the root. */
export function pagesOf(root: string): (readonly [name: string, text: string])[] {
  return [...PAGES.map((page) => join(root, page)), ...filesBelow(join(root, 'docs'))]
    .filter((path) => path.endsWith('.md') && existsSync(path))
    .map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]);
}

/** Pages that the README of their folder does not link to: nobody finds them. */
function unlistedPages(root: string): string[] {
  return ['docs', 'docs/decisions', 'docs/architecture', 'docs/how-to'].flatMap((folder) => {
    const list = folder === 'docs/decisions' ? `${folder}/README.md` : 'docs/README.md';
    const path = join(root, list);
    if (!existsSync(path) || !existsSync(join(root, folder))) return [];
    const linked = new Set([...readFileSync(path, 'utf8').matchAll(LINK)].map(([, to]) => join(dirname(path), to!)));
    return readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md') && name !== 'README.md' && !linked.has(join(root, folder, name)))
      .map((name) => `${list} does not list ${folder}/${name}`);
  });
}

/** A code span that looks like a path of ours, with `#symbol` or without. */
function namedPaths(root: string, text: string): string[] {
  return [...text.matchAll(CODE_SPAN)].flatMap((match) => {
    const [path = '', symbol] = (match[1] ?? '').replace(/:\d+$/, '').split('#');
    if (!OWN_PATH.test(path) || (symbol === undefined && !path.includes('/'))) return [];
    if (!existsSync(join(root, path))) return [`names the path ${path}, which does not exist`];
    if (symbol === undefined) return [];
    const found = new RegExp(`\\b${symbol.replace(/[^\w$]/g, '')}\\b`).test(readFileSync(join(root, path), 'utf8'));
    return found ? [] : [`names ${path}#${symbol}, and ${path} has no such word`];
  });
}

function links(page: string, text: string): string[] {
  return [...text.matchAll(LINK)].flatMap((match) => {
    const [target = '', anchor] = (match[1] ?? '').split('#');
    if (/^[a-z]+:/.test(target)) return [];
    const path = target === '' ? page : join(dirname(page), target);
    if (!existsSync(path)) return [`links to ${target}, which does not exist`];
    if (anchor === undefined || !path.endsWith('.md') || anchorsOf(readFileSync(path, 'utf8')).has(anchor)) return [];
    return [`links to ${target}#${anchor}, and there is no such heading`];
  });
}

/** Names of headings in links, as hosts of Markdown make them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return new Set(headings.map((heading) => heading.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-')));
}

function commands(text: string, scripts: ReadonlySet<string>): string[] {
  const named = [...text.matchAll(/\bnpm (?:run (?:-s |--silent )?([a-z:-]+)|(test|start)\b)/g)];
  return named
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((script) => !scripts.has(script))
    .map((script) => `names the command npm run ${script}, which package.json does not have`);
}

/** `heddle jobs list` in code: a command of the CLI, or the group that it belongs to; `heddle ready` is an output. */
function heddleCommands(text: string, known: ReadonlySet<string>): string[] {
  const named = text.matchAll(
    /(?:^|[`$] ?|npm run (?:-s )?heddle -- )heddle (?!ready\b)([a-z]+(?:-[a-z]+)*)(?: ([a-z]+(?:-[a-z]+)*)\b)?/gm,
  );
  return [...named].flatMap(([, first = '', second]) => {
    const both = `${first} ${second ?? '*'}`;
    return known.has(first) || known.has(both) ? [] : [`names the command heddle ${both}, which the CLI does not have`];
  });
}

/** Command names from the commands' files; the group of `assets show` counts as `assets *`. */
function cliCommandsOf(root: string): Set<string> {
  const files = sourceFiles(root, ['apps/cli/src'], ['.command.ts']);
  const names = files.flatMap(({ text }) => [...text.matchAll(/\bname: '([a-z -]+)',/gm)]);
  // Commands that one function makes are named by their constants: `creditsGrantCommand`.
  const made = files.flatMap(({ text }) => [...text.matchAll(/^export const ([a-z]+)([A-Z][a-z]+)Command = \w+\(/gm)]);
  const ofConstants = made.map(([, group = '', verb = '']) => `${group} ${verb.toLowerCase()}`);
  // The launcher of commands answers these two by itself.
  const words = [...names.map(([, name = '']) => name), ...ofConstants, 'help', 'completion'];
  return new Set([...words, ...words.map((word) => `${word.split(' ')[0]} *`)]);
}

/** Every route of the API has a row in ARCHITECTURE's table of where things happen. */
function missingRoutes(root: string): string[] {
  const page = join(root, 'ARCHITECTURE.md');
  if (!existsSync(page)) return [];
  const rows = readFileSync(page, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return routesOf(root)
    .filter((route) => !rows.some((row) => row.includes(`\`${route}\``)))
    .map((route) => `ARCHITECTURE.md has no row for \`${route}\` in its table of where things happen`);
}

function routesOf(root: string): string[] {
  const home = join(root, 'libs/contracts/api-v2/src/routes.ts');
  if (!existsSync(home)) return [];
  const rows = readFileSync(home, 'utf8').matchAll(/method: '([A-Z]+)',\s*path: '([^']+)'/g);
  return [...rows].map(([, method, path]) => `${method} ${path}`);
}

/** The metrics table must equal the metrics declared by the contexts in their `metrics.ts`. */
function metricsTable(root: string): string[] {
  const page = join(root, 'docs/observability.md');
  const homes = sourceFiles(root, ['apps', 'libs'], ['/metrics.ts']);
  if (!existsSync(page) || homes.length === 0) return [];
  const told = new Set([...readFileSync(page, 'utf8').matchAll(/^\| `(heddle_\w+)`/gm)].map(([, name]) => name));
  const exported = new Set(homes.flatMap(({ text }) => [...text.matchAll(/\bname: '(heddle_\w+)'/g)].map((m) => m[1])));
  return [
    ...[...exported].filter((name) => !told.has(name)).map((name) => `docs/observability.md has no row for ${name}`),
    ...[...told]
      .filter((name) => !exported.has(name))
      .map((name) => `docs/observability.md has a row for ${name}, which nothing exports`),
  ];
}

function scriptsOf(root: string): Set<string> {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts?: Record<string, string> };
  return new Set(Object.keys(manifest.scripts ?? {}));
}

/** Settings appear in sources with their whole name, and in the declarations of each context without the prefix. */
function settingsOf(root: string): Set<string> {
  const sources = sourceFiles(root, ['apps', 'libs', 'tools', 'test'], ['.ts', '.mjs']);
  const homes = sourceFiles(root, ['libs'], ['settings.ts']);
  const declared = homes.flatMap(({ text }) => [...text.matchAll(/\(\s*'([A-Z0-9_]+)'/g)]);
  return new Set([
    ...sources.flatMap(({ text }) => text.match(SETTING) ?? []),
    ...declared.map(([, name]) => `HEDDLE_${name}`),
  ]);
}
