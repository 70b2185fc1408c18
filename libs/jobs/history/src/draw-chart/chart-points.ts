import type { QueryRows } from '../query-history/ask-question.js';
import type { PlainValue } from '../query-history/plain-value.js';
import type { ColumnKind } from '../query-history/query-messages.js';
import type { ChartColumns } from './chart-columns.js';
import { ChartError } from './chart-error.js';

/** More are a grey area: the question should group them. */
const MAX_POINTS = 20_000;
const MAX_TEXT = 200;

export interface ChartPoint {
  readonly x: number | string | null;
  readonly y: number | null;
  readonly series: string | null;
}

/** The points of a chart, in the order of the rows. */
export async function chartPoints(
  found: QueryRows,
  { x, y, series }: ChartColumns,
  maxSeries: number,
): Promise<ChartPoint[]> {
  const points: ChartPoint[] = [];
  const names = new Set<string | null>();
  const kind = found.columns[x]?.kind ?? 'text';
  for await (const batch of found.rows())
    for (const row of batch) {
      const name = series === null ? null : labelOf(row[series] ?? null);
      names.add(name);
      points.push({ x: axisValueOf(row[x] ?? null, kind), y: numberOf(row[y] ?? null), series: name });
      if (points.length > MAX_POINTS)
        throw new ChartError(`a chart takes up to ${MAX_POINTS} rows: group them in the query, or add a limit`);
      if (names.size > maxSeries)
        throw new ChartError(
          `the column ${found.columns[series ?? 0]?.name} has more than ${maxSeries} values, too many series for a chart: name another with --series, or select fewer`,
        );
    }
  if (points.length > 0) return points;
  throw new ChartError('the query has no rows, so there is nothing to draw');
}

function axisValueOf(value: PlainValue, kind: ColumnKind): number | string | null {
  if (value === null) return null;
  if (kind === 'number') return numberOf(value);
  if (kind === 'text') return labelOf(value);
  const instant = Date.parse(String(value));
  return Number.isNaN(instant) ? null : instant;
}

function numberOf(value: PlainValue): number | null {
  const number = value === null || typeof value === 'object' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}

/** Names of nodes and labels are foreign: what has no glyph would be a box, and a long one the whole picture. */
function labelOf(value: PlainValue): string {
  const text = value === null ? 'none' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ').slice(0, MAX_TEXT);
}
