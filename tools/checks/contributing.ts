import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NOT_SHIPPED, sourceFiles } from './source-files.ts';

/** A constraint of `tools/lint/boundaries.mjs`, as far as the page shows it. */
export interface Boundary {
  readonly sourceTag?: string;
  readonly onlyDependOnLibsWithTags: readonly string[];
}

const PAGE = 'CONTRIBUTING.md';
const CODE_SPAN = /`([^`\n]+)`/g;
const PATH = /^(?:apps|libs)\//;
/** The names of the call that CONTRIBUTING.md shows as an example. */
const EXAMPLE = /can_?mint|check-?(?:asset-?)?hash|by-hash/i;

/** The table of boundaries equals the rules, and the example of a call names every file that names the call. */
export function contributingProblems(root: string, boundaries: readonly Boundary[]): string[] {
  const page = readFileSync(join(root, PAGE), 'utf8');
  return [...boundaryProblems(page, boundaries), ...exampleProblems(root, page)];
}

function boundaryProblems(page: string, boundaries: readonly Boundary[]): string[] {
  const rows = new Map(
    section(page, '## Boundaries').flatMap((line) => {
      const [, tag = '', imports = ''] = line.split('|');
      const [type] = spans(tag).filter((span) => span.startsWith('type:'));
      return type === undefined ? [] : [[type, sorted(spans(imports))] as const];
    }),
  );
  const rules = new Map(
    boundaries.flatMap(({ sourceTag, onlyDependOnLibsWithTags: tags }) =>
      sourceTag === undefined ? [] : [[sourceTag, sorted(tags)] as const],
    ),
  );
  return [...new Set([...rules.keys(), ...rows.keys()])]
    .filter((type) => rules.get(type) !== rows.get(type))
    .map((type) => {
      const [row, rule] = [rows.get(type) ?? 'no row', rules.get(type) ?? 'no rule'];
      return `${PAGE}, Boundaries: ${type} has ${row}; tools/lint/boundaries.mjs has ${rule}`;
    });
}

function exampleProblems(root: string, page: string): string[] {
  const named = section(page, '### A call, by example')
    .flatMap(spans)
    .filter((span) => PATH.test(span));
  const users = sourceFiles(root, ['apps', 'libs'], ['.ts', '.proto', '.json'])
    .filter(({ path, text }) => !NOT_SHIPPED.test(path) && (EXAMPLE.test(path) || EXAMPLE.test(text)))
    .map(({ path }) => path);
  const covers = (place: string, path: string): boolean =>
    place.endsWith('/') ? path.startsWith(place) : path === place;
  return [
    ...users
      .filter((path) => !named.some((place) => covers(place, path)))
      .map((path) => `${PAGE}, A call, by example: ${path} names the call too`),
    ...named
      .filter((place) => !existsSync(join(root, place)))
      .map((place) => `${PAGE}, A call, by example: ${place} does not exist`),
  ];
}

/** The lines below a heading, up to the next heading. */
function section(page: string, heading: string): string[] {
  const lines = page.split('\n');
  const from = lines.indexOf(heading) + 1;
  if (from === 0) return [];
  const end = lines.findIndex((line, at) => at >= from && line.startsWith('#'));
  return lines.slice(from, end === -1 ? undefined : end);
}

function spans(text: string): string[] {
  return [...text.matchAll(CODE_SPAN)].map(([, span = '']) => span);
}

function sorted(tags: readonly string[]): string {
  return [...tags].sort().join(', ');
}
