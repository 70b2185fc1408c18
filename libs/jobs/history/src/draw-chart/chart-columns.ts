import type { QueryColumn } from '../query-history/query-messages.js';
import { ChartError } from './chart-error.js';

/** Names of columns; null: the first that fits. */
export interface WantedColumns {
  readonly x: string | null;
  readonly y: string | null;
  readonly series: string | null;
}

/** Places of columns in a row. */
export interface ChartColumns {
  readonly x: number;
  readonly y: number;
  readonly series: number | null;
}

/**
 * The named columns, otherwise the first that fit: x is an instant, else a text, else a number; y is another number; the
 * series are another text.
 */
export function chartColumns(columns: readonly QueryColumn[], wanted: WantedColumns): ChartColumns {
  const [namedX, namedY, namedSeries] = [
    columnIndexOf(columns, wanted.x, '--x'),
    columnIndexOf(columns, wanted.y, '--y'),
    columnIndexOf(columns, wanted.series, '--series'),
  ];
  if (namedY !== null && columns[namedY]?.kind !== 'number')
    throw new ChartError(`--y ${wanted.y}: the column holds no numbers; name a column that does`);
  const named = [namedX, namedY, namedSeries];
  const first = (kind: QueryColumn['kind'], taken: readonly (number | null)[]): number | null => {
    const found = columns.findIndex((column, at) => column.kind === kind && !taken.includes(at));
    return found === -1 ? null : found;
  };
  const x = namedX ?? first('instant', named) ?? first('text', named) ?? first('number', named);
  const y = namedY ?? first('number', [...named, x]);
  if (x === null || y === null)
    throw new ChartError(
      `a chart needs a column for x and one of numbers for y, and the query has ${listed(columns)}: name them with --x and --y`,
    );
  return { x, y, series: namedSeries ?? first('text', [x, y]) };
}

function columnIndexOf(columns: readonly QueryColumn[], name: string | null, option: string): number | null {
  if (name === null) return null;
  const place = columns.findIndex((column) => column.name === name);
  if (place !== -1) return place;
  throw new ChartError(`${option} ${name}: the query has no such column; it has ${listed(columns)}`);
}

function listed(columns: readonly QueryColumn[]): string {
  return columns.map(({ name, kind }) => `${name} (${kind})`).join(', ');
}
