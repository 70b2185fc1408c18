import { fit, textWidth } from './text-width.js';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** The column that gives way when the terminal is too narrow. */
  readonly shrinks?: boolean;
}

const GAP = '  ';

/** Rows under their titles, as wide as the widest cell; the shrinking column is cut so that a line fits. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const widths = columns.map(({ title }, at) =>
    Math.max(textWidth(title), ...rows.map((row) => textWidth(row[at] ?? ''))),
  );
  const total = widths.reduce((sum, value) => sum + value, 0) + GAP.length * (columns.length - 1);
  const giving = columns.findIndex((column) => column.shrinks === true);
  if (giving >= 0 && total > width) widths[giving] = Math.max(8, (widths[giving] ?? 0) - (total - width));
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, at) => {
        const cell = fit(cells[at] ?? '', widths[at] ?? 0);
        return align === 'right' ? cell.trimEnd().padStart(cell.length) : cell;
      })
      .join(GAP)
      .trimEnd();
  return [line(columns.map((column) => column.title)), ...rows.map(line)];
}
