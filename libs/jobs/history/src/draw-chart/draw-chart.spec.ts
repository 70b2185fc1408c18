import { describe, expect, it } from 'vitest';
import type { QueryRows } from '../query-history/ask-question.js';
import type { PlainValue } from '../query-history/plain-value.js';
import type { QueryColumn } from '../query-history/query-messages.js';
import { chartColumns } from './chart-columns.js';
import { drawChart, type ChartOptions } from './draw-chart.js';

const COLUMNS: readonly QueryColumn[] = [
  { name: 'team', kind: 'text' },
  { name: 'at', kind: 'instant' },
  { name: 'queue_ms', kind: 'number' },
  { name: 'jobs', kind: 'number' },
];
const ROWS: readonly (readonly PlainValue[])[] = [
  ['atlas', '2026-11-27T10:00:00.000Z', 120, 3],
  ['atlas', '2026-11-27T11:00:00.000Z', 80, 4],
  ['bo & <co>', '2026-11-27T10:00:00.000Z', 300, 1],
];
const NO_CHOICE = { x: null, y: null, series: null };

const found = (rows: readonly (readonly PlainValue[])[], columns = COLUMNS): QueryRows => ({
  columns,
  rows: async function* () {
    yield await Promise.resolve(rows);
  },
});
const drawn = async (options: Partial<ChartOptions>, rows = found(ROWS)): Promise<string> => {
  const whole = { mark: 'line', format: 'svg', sql: 'select 1', ...NO_CHOICE, ...options } as const;
  return (await drawChart(rows, whole)).toString('utf8');
};

describe('the columns of a chart', () => {
  it('are the first that fit', () => {
    expect(chartColumns(COLUMNS, NO_CHOICE)).toEqual({ x: 1, y: 2, series: 0 });
    expect(chartColumns(COLUMNS.slice(2), NO_CHOICE)).toEqual({ x: 0, y: 1, series: null });
    expect(chartColumns(COLUMNS, { x: 'team', y: 'jobs', series: null })).toEqual({ x: 0, y: 3, series: null });
  });

  it.each([
    [{ y: 'cost' }, '--y cost: the query has no such column; it has team (text), at (instant), queue_ms (number)'],
    [{ x: 'cost' }, '--x cost: the query has no such column'],
    [{ series: 'cost' }, '--series cost: the query has no such column'],
    [{ y: 'team' }, '--y team: the column holds no numbers'],
  ])('%j is refused', (wanted, message) => {
    expect(() => chartColumns(COLUMNS, { ...NO_CHOICE, ...wanted })).toThrow(message);
  });

  it('need a number', () => {
    expect(() => chartColumns(COLUMNS.slice(0, 2), NO_CHOICE)).toThrow(
      'a chart needs a column for x and one of numbers',
    );
  });
});

const withSeries = (count: number): QueryRows =>
  found(Array.from({ length: count }, (_, n) => [`t${n}`, '2026-11-27T10:00:00.000Z', n, 1]));

describe('a chart', () => {
  it.each(['line', 'bar', 'area', 'point'] as const)('of the mark %s without series has one colour', async (mark) => {
    const rows = ROWS.map((row) => row.slice(1));
    const svg = await drawn({ mark }, found(rows, COLUMNS.slice(1)));
    expect(svg).toContain('#0072b2');
    // The first colour of Vega.
    expect(svg).not.toContain('#4c78a8');
  });

  it('gives each of twenty lines a look of its own', async () => {
    const symbols = (await drawn({}, withSeries(20))).matchAll(
      /<path aria-label="[^"]*; team: t\d+"[^>]* d="([^"]*)"[^>]*? fill="([^"]*)"/g,
    );
    const looks = [...symbols].map(([, shape, colour]) => `${shape} ${colour}`);
    expect([looks.length, new Set(looks).size]).toEqual([20, 20]);
  });

  it('takes as many bars and areas as there are colours', async () => {
    for (const mark of ['bar', 'area'] as const) {
      await expect(drawn({ mark }, withSeries(9))).rejects.toThrow('has more than 8 values');
      expect(await drawn({ mark }, withSeries(8))).toContain('t7');
    }
  });

  it.each([
    ['load_percent', 'load (%)'],
    ['output_bytes', 'output (bytes)'],
    ['bytes', '>bytes<'],
    ['batch_size', '>batch size<'],
  ])('names the axis of %s as %s', async (name, title) => {
    const columns: QueryColumn[] = [
      { name: 'team', kind: 'text' },
      { name, kind: 'number' },
    ];
    expect(await drawn({ mark: 'bar' }, found([['a', 5]], columns))).toContain(title);
  });

  it('names its axes with their units, and its series', async () => {
    const svg = await drawn({});
    const texts = ['queue (ms)', 'at (UTC)', 'team', 'atlas', 'bo &amp; &lt;co&gt;', '10:00', 'fill="white"'];
    expect(texts.filter((text) => !svg.includes(text))).toEqual([]);
  });

  it('keeps the question in its description, harmless', async () => {
    const svg = await drawn({ sql: 'select "</desc><script>" & \u0000' });
    expect(svg).toContain('<desc>select "&lt;/desc&gt;&lt;script&gt;" &amp;  </desc>');
    expect(svg).not.toContain('<script>');
  });

  it.each(['line', 'bar', 'area', 'point'] as const)(
    'has the mark %s, as SVG and as a picture of pixels',
    async (mark) => {
      expect(await drawn({ mark })).toMatch(/^<svg [^]*mark-(line|rect|area|symbol)/);
      const png = await drawChart(found(ROWS), { mark, format: 'png', sql: '', ...NO_CHOICE });
      expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
      expect(png.readUInt32BE(16)).toBeGreaterThan(1_400);
    },
  );

  it('reads no name of a column as a path, and no text as an expression', async () => {
    const columns: QueryColumn[] = [
      { name: 'a.b[0]', kind: 'text' },
      { name: 'datum["x"]', kind: 'number' },
    ];
    const svg = await drawn({ mark: 'bar' }, found([['{signal: 1}', 5]], columns));
    expect(svg).toContain('a.b[0]');
    expect(svg).toContain('{signal: 1}');
  });

  it.each([
    ['no rows', [], 'the query has no rows'],
    ['too many series', Array.from({ length: 21 }, (_, n) => [`t${n}`, null, 1, 1]), 'has more than 20 values'],
    ['too many rows', Array.from({ length: 20_001 }, () => ['t', null, 1, 1]), 'a chart takes up to 20000 rows'],
  ])('refuses %s', async (_, rows, message) => {
    await expect(drawn({}, found(rows))).rejects.toThrow(message);
  });
});
