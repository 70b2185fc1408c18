import type { TopLevelSpec } from 'vega-lite';
import type { ColumnKind, QueryColumn } from '../query-history/query-messages.js';
import type { ChartColumns } from './chart-columns.js';
import type { ChartPoint } from './chart-points.js';

export type ChartMark = 'line' | 'bar' | 'area' | 'point';

/** Ships with the package `dejavu-fonts-ttf`, which the raster picture is drawn with. */
export const CHART_FONT = 'DejaVu Sans';

const [WIDTH, HEIGHT, BAR_HEIGHT] = [720, 360, 22];
const HOUR_MS = 3_600_000;
/** Okabe and Ito: distinct with every kind of colour vision. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#8c6d31'];
/** Three of each: with eight colours, the pairs repeat only after 24 series. */
const DASHES = [
  [1, 0],
  [6, 3],
  [2, 2],
];
const SHAPES = ['circle', 'square', 'triangle-up'];
const MAX_SERIES = 20;
/** Each tick says what is new at it, with 24 hours. */
const TIMES = {
  year: '%Y',
  month: '%b %Y',
  week: '%b %d',
  date: '%b %d',
  hours: '%H:%M',
  minutes: '%H:%M',
  seconds: '%H:%M:%S',
  milliseconds: '%S.%L',
};
const UNITS: readonly (readonly [ending: RegExp, unit: string])[] = [
  [/_ms$/, 'ms'],
  [/_s$/, 's'],
  [/_bytes$/, 'bytes'],
  [/_percent$/, '%'],
];

/** Series that look different: bars and areas have their colour alone. */
export function maxSeries(mark: ChartMark): number {
  return mark === 'line' || mark === 'point' ? MAX_SERIES : COLOURS.length;
}

/** The picture in the grammar of Vega-Lite. Columns are named x, y and series: their own names could be read as paths. */
export function chartSpec(
  mark: ChartMark,
  columns: readonly QueryColumn[],
  { x, y, series }: ChartColumns,
  points: readonly ChartPoint[],
): TopLevelSpec {
  const [xColumn, yColumn] = [columns[x]!, columns[y]!];
  const isFlat = mark === 'bar' && xColumn.kind === 'text';
  const places = new Set(points.map((point) => point.x)).size;
  const bars = mark === 'bar' && xColumn.kind === 'instant' ? timeBars(points) : null;
  const along = { field: 'x', title: axisTitle(xColumn), ...scaleOf(xColumn.kind, mark, bars) };
  const size = { field: 'y', type: 'quantitative', title: axisTitle(yColumn), axis: { format: formatOf(points) } };
  const [from, by] = [yColumn.name, xColumn.name].map(words);
  return {
    background: 'white',
    padding: 16,
    width: WIDTH,
    height: isFlat ? Math.max(120, places * BAR_HEIGHT) : HEIGHT,
    title: `${from} by ${by}${series === null ? '' : ` and ${words(columns[series]!.name)}`}`,
    data: { values: points.map((point) => ({ ...point })) },
    mark: { ...markOf(mark, series !== null, points.length), ...bars?.mark },
    encoding: {
      // Texts stand below each other, where there is room for them.
      x: isFlat ? size : along,
      y: isFlat ? along : size,
      ...(series === null ? {} : seriesOf(mark, columns[series]!)),
    },
    config: {
      font: CHART_FONT,
      axis: { labelFontSize: 12, titleFontSize: 13, titlePadding: 10, labelLimit: 260, gridColor: '#e4e4e4' },
      legend: { labelFontSize: 12, titleFontSize: 13, labelLimit: 260, symbolLimit: 0 },
      title: { fontSize: 15, offset: 14, anchor: 'start' },
    },
  } as TopLevelSpec;
}

function markOf(mark: ChartMark, hasSeries: boolean, points: number): object {
  const colour = hasSeries ? {} : { color: COLOURS[0] };
  // What lies over a mark does not take the mark's own colour, only that of its series.
  if (mark === 'line') return { type: 'line', strokeWidth: 2, point: points <= 400 && colour, ...colour };
  if (mark === 'area') return { type: 'area', opacity: 0.75, line: !hasSeries && colour, ...colour };
  if (mark === 'point') return { type: 'point', filled: true, size: 45, opacity: 0.75, ...colour };
  return { type: 'bar', ...colour };
}

function scaleOf(kind: ColumnKind, mark: ChartMark, bars: TimeBars | null): object {
  // The order of the rows is that of the query.
  if (kind === 'text' || (kind === 'number' && mark === 'bar'))
    return { type: 'ordinal', sort: null, axis: { labelAngle: kind === 'text' && mark !== 'bar' ? -30 : 0 } };
  if (kind === 'number') return { type: 'quantitative', scale: { zero: false } };
  const scale = bars === null ? { type: 'utc' } : { type: 'utc', domain: bars.domain, nice: false };
  return { type: 'temporal', scale, axis: { labelOverlap: true, format: TIMES } };
}

interface TimeBars {
  readonly domain: readonly [number, number];
  readonly mark: object;
}

/** A bar reaches from its instant to the next one that a row may have: the smallest step between two of them. */
function timeBars(points: readonly ChartPoint[]): TimeBars {
  const instants = [...new Set(points.map(({ x }) => x))].filter((x) => typeof x === 'number').sort((a, b) => a - b);
  const steps = instants.slice(1).map((instant, at) => instant - instants[at]!);
  const step = steps.length === 0 ? HOUR_MS : Math.min(...steps);
  const [first, end] = [instants[0] ?? 0, (instants.at(-1) ?? 0) + step];
  const width = Math.max(1, (WIDTH * step) / (end - first));
  return { domain: [first, end], mark: { orient: 'vertical', width: Math.max(1, width - 1), xOffset: width / 2 } };
}

function seriesOf(mark: ChartMark, column: QueryColumn): object {
  const field = { field: 'series', type: 'nominal', title: words(column.name), sort: null };
  return {
    color: { ...field, scale: { range: COLOURS } },
    ...(mark === 'line' ? { strokeDash: { ...field, scale: { range: DASHES } } } : {}),
    ...(mark === 'line' || mark === 'point' ? { shape: { ...field, scale: { range: SHAPES } } } : {}),
  };
}

/** `queue_ms` as `queue (ms)`; an instant is in UTC. */
function axisTitle({ name, kind }: QueryColumn): string {
  if (kind === 'instant') return `${words(name)} (UTC)`;
  const [, unit] = UNITS.find(([ending]) => ending.test(name)) ?? [];
  return unit === undefined ? words(name) : `${words(name)} (${unit})`;
}

/** Large numbers get a prefix, small ones their digits. */
function formatOf(points: readonly ChartPoint[]): string {
  return points.some(({ y }) => y !== null && Math.abs(y) >= 100_000) ? '~s' : ',~r';
}

function words(name: string): string {
  const [ending] = UNITS.find(([found]) => found.test(name)) ?? [];
  const short = ending === undefined ? name : name.replace(ending, '');
  return short.replaceAll('_', ' ');
}
