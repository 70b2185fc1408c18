import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '@heddle/composition';
import type { Setting } from '@heddle/composition';
import { durationOf, sizeOf } from './settings-page.ts';

const PAGE = 'docs/limits.md';
const ROW = /^\|(?=.*`HEDDLE_)/;
const NAME = /`HEDDLE_([A-Z0-9_]+)`/g;

/** Settings with a number that limits nothing: they are only sent to clients. */
const SENT_ONLY: readonly string[] = ['COLD_START_S', 'UNAVAILABLE_RETRY_S'];

/**
 * Each setting that is a number has a row in the page of limits, and each row that names a setting also says its default, in
 * figures or in words.
 */
export function limitsPageProblems(root: string): string[] {
  const page = readFileSync(join(root, PAGE), 'utf8');
  const settings = Object.values<Setting<unknown>>(SETTINGS);
  return [...wrongDefaults(page, settings), ...missingRows(page, settings)].map((problem) => `${PAGE} ${problem}`);
}

type Stated = Pick<Setting<unknown>, 'name' | 'unit' | 'defaultText'>;

export function missingRows(
  page: string,
  settings: readonly Pick<Setting<unknown>, 'name' | 'unit' | 'range'>[],
): string[] {
  const rows = page.split('\n').filter((line) => ROW.test(line));
  const named = new Set(rows.flatMap((row) => [...row.matchAll(NAME)].map(([, name = '']) => name)));
  return settings
    .filter(({ name, unit, range }) => range !== undefined && unit !== 'port' && !SENT_ONLY.includes(name))
    .filter(({ name }) => !named.has(name))
    .map(({ name }) => `has no row for HEDDLE_${name}`);
}

export function wrongDefaults(page: string, settings: readonly Stated[]): string[] {
  const byName = new Map(settings.map((setting) => [setting.name, setting]));
  const named = new Set<string>();
  const wrong = page.split('\n').flatMap((row) => {
    if (!ROW.test(row)) return [];
    // A setting may be named again beside another limit; its default stands where the page names it first.
    const names = [...row.matchAll(NAME)].map(([, name = '']) => name).filter((name) => !named.has(name));
    names.forEach((name) => named.add(name));
    return names.flatMap((name) => {
      const setting = byName.get(name);
      if (setting === undefined || forms(setting).some((form) => hasToken(row, form))) return [];
      return [`says another default of HEDDLE_${name} than ${forms(setting)[0]}`];
    });
  });
  return wrong;
}

/** How people write a default: 3600 as `3,600 s`, `1 h` or `1 hour`; 104857600 as `100 MiB`. */
export function forms({ defaultText, unit }: Stated): string[] {
  const value = Number(defaultText);
  if (defaultText === '' || Number.isNaN(value)) return [defaultText];
  const figures = value.toLocaleString('en-US');
  if (unit === 'bytes' || unit === 'bytes/s') return [sizeOf(value), `${figures} bytes`];
  if (unit !== 's') return [figures, defaultText];
  const others = [60, 3600].filter((span) => value % span === 0).map((span) => value / span);
  const spans = others.flatMap((n) => [`${n} min`, `${n} h`, `${n} hour`]);
  return [
    `${figures} s`,
    durationOf(value),
    ...spans,
    ...(value === 86_400 ? ['daily', 'one day'] : [`${value / 86_400} days`]),
  ];
}

export function hasToken(row: string, form: string): boolean {
  if (form === 'none' || form === 'unset') return true;
  return new RegExp(`(?<![\\w.,])${form.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\w.])`).test(row);
}
