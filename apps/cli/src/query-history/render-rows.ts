import type { PlainValue, QueryRows } from '@heddle/jobs-history/queries';
import { plainText } from '../terminal/plain-text.js';
import { shrink } from '../terminal/table.js';
import { cut, fit, textWidth } from '../terminal/text-width.js';

export type RowFormat = 'table' | 'csv' | 'json';

/** Rows whose widths set the columns of a table; the rest is printed in these. */
const MEASURED = 1_000;
const MAX_WIDTH = 60;
const IS_NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const BEGINS_FORMULA = /^[=+\-@\t\r]/;

/** Writes the rows line by line; returns their number. The lines of a table have up to `width` columns of a terminal. */
export async function writeRows(
  { columns: found, rows }: QueryRows,
  format: RowFormat,
  write: (line: string) => void | Promise<void>,
  width = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const columns = found.map(({ name }) => name);
  let count = 0;
  let widths: readonly number[] | null = null;
  if (format === 'csv') await write(columns.map(csvCell).join(','));
  for await (const batch of rows()) {
    if (format === 'table' && widths === null) {
      widths = widthsOf(columns, batch, width);
      await write(tableLine(columns, widths, width));
    }
    for (const row of batch) await write(lineOf(columns, row, format, { widths: widths ?? [], width }));
    count += batch.length;
  }
  if (format === 'table' && widths === null) await write(tableLine(columns, widthsOf(columns, [], width), width));
  return count;
}

function lineOf(
  columns: readonly string[],
  row: readonly PlainValue[],
  format: RowFormat,
  { widths, width }: { readonly widths: readonly number[]; readonly width: number },
): string {
  if (format === 'csv') return row.map(csvCell).join(',');
  if (format === 'json') return JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])));
  return tableLine(row.map(cellText), widths, width);
}

function cellText(value: PlainValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A spreadsheet runs a cell that begins like a formula: such a text gets an apostrophe. */
function csvCell(value: PlainValue): string {
  const text = cellText(value);
  const safe = BEGINS_FORMULA.test(text) && !IS_NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function widthsOf(columns: readonly string[], rows: readonly (readonly PlainValue[])[], width: number): number[] {
  const widths = columns.map((name, at) =>
    Math.min(
      MAX_WIDTH,
      rows
        .slice(0, MEASURED)
        .reduce((widest, row) => Math.max(widest, textWidth(plainText(cellText(row[at] ?? null)))), textWidth(name)),
    ),
  );
  shrink(
    columns.map(() => ({ shrinks: true })),
    widths,
    width,
  );
  return widths;
}

/** On a terminal cells are cut to their columns. Elsewhere a cell that is wider than its column stays whole: it is a result. */
function tableLine(cells: readonly string[], widths: readonly number[], width: number): string {
  const isCut = width < Number.MAX_SAFE_INTEGER;
  const line = cells
    .map(plainText)
    .map((cell, at) => {
      const columns = widths[at] ?? 0;
      return isCut ? fit(cell, columns) : cell + ' '.repeat(Math.max(0, columns - textWidth(cell)));
    })
    .join('  ')
    .trimEnd();
  return cut(line, width);
}
