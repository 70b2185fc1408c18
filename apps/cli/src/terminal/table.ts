import { cut, fit, textWidth } from './text-width.js';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Shrinks if the terminal is too narrow; `first` before others do. */
  readonly shrinks?: boolean | 'first';
  /** Never cut, because people copy it. */
  readonly whole?: boolean;
}

const GAP = '  ';
const NARROWEST = 8;

/**
 * Rows below their titles, as wide as the widest cell; shrinking columns are cut first, then whole lines, so that none
 * exceeds the terminal.
 */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const widths = columns.map(({ title }, at) =>
    Math.max(textWidth(title), ...rows.map((row) => textWidth(row[at] ?? ''))),
  );
  shrink(columns, widths, width);
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, at) => {
        const cell = fit(cells[at] ?? '', widths[at] ?? 0);
        return align === 'right' ? cell.trimEnd().padStart(cell.length) : cell;
      })
      .join(GAP)
      .trimEnd();
  const whole = columns.some((column) => column.whole === true);
  const cutLine = (cells: readonly string[]): string => (whole ? line(cells) : cut(line(cells), width));
  return [cutLine(columns.map((column) => column.title)), ...rows.map(cutLine)];
}

/** Takes from the widest shrinking columns what is too wide for the terminal. */
export function shrink(columns: readonly Pick<Column, 'shrinks'>[], widths: number[], width: number): void {
  const total = widths.reduce((sum, value) => sum + value, 0) + GAP.length * (columns.length - 1);
  for (let over = total - width; over > 0; over -= 1) {
    const widest = widestOf(columns, widths, 'first') ?? widestOf(columns, widths, true);
    if (widest === null) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

/** The widest column that can still shrink; null if none can. */
function widestOf(
  columns: readonly Pick<Column, 'shrinks'>[],
  widths: readonly number[],
  of: Column['shrinks'],
): number | null {
  let widest: number | null = null;
  columns.forEach(({ shrinks }, at) => {
    const width = widths[at] ?? 0;
    if (shrinks === of && width > NARROWEST && width > (widest === null ? 0 : (widths[widest] ?? 0))) widest = at;
  });
  return widest;
}
