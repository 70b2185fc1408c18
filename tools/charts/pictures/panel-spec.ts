import type { TopLevelSpec } from 'vega-lite';
import { axisTicks } from './axis-ticks.ts';
import { LINE_WIDTH, lineStyle, PICTURE_FONT } from './line-style.ts';
import type { PanelData, PanelPoint, PictureEvent, PictureWindow } from './panel-data.ts';
import { unitText } from './unit-text.ts';

export const PANEL_WIDTH = 460;
export const PANEL_HEIGHT = 300;

const TITLE_Y = 18;
const ROOM = { left: 72, right: 18, top: 46, bottom: 92 };
const [WIDTH, HEIGHT] = [PANEL_WIDTH - ROOM.left - ROOM.right, PANEL_HEIGHT - ROOM.top - ROOM.bottom];
/** Below the axis, where `panelLegend` draws. */
export const LEGEND_ROOM = { x: 16, y: PANEL_HEIGHT - 52, width: PANEL_WIDTH - 32, rows: 3 };

/** One panel in the grammar of Vega-Lite, with the numbers of its axis in the panel's unit. */
export function panelSpec({ panel, lines }: PanelData, { from, to, events = [] }: PictureWindow): TopLevelSpec {
  const numbers = lines.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []));
  const isEmpty = numbers.length === 0;
  const ticks = axisTicks(numbers, panel.unit);
  const x = {
    field: 'time',
    type: 'temporal',
    title: null,
    scale: { type: 'utc', domain: [from * 1_000, to * 1_000] },
    axis: { format: '%H:%M', tickCount: 5, labelOverlap: true, grid: false },
  };
  const y = {
    field: 'value',
    type: 'quantitative',
    title: null,
    scale: { domain: [0, ticks.at(-1)], nice: false },
    axis: { values: ticks, labelExpr: labelExpr(ticks.map((tick) => unitText(tick, panel.unit))), domain: false },
  };
  const data = { values: lines.flatMap(({ legend, points }) => rowsOf(legend, points)) };
  const style = (range: readonly unknown[]): object => ({
    field: 'legend',
    type: 'nominal',
    scale: { domain: lines.map(({ legend }) => legend), range },
    legend: null,
  });
  const color = style(lines.map((_, at) => lineStyle(at).colour));
  const strokeDash = style(lines.map((_, at) => lineStyle(at).dash));
  const layer = isEmpty
    ? [
        { data: { values: [{ text: 'no data' }] }, ...NO_DATA },
        { data, mark: 'line', encoding: { x } },
      ]
    : [
        { data, mark: LINE, encoding: { x, y, color, strokeDash } },
        { data, transform: [{ filter: 'datum.alone' }], mark: DOT, encoding: { x, y, color } },
      ];
  return {
    background: null,
    width: WIDTH,
    height: HEIGHT,
    padding: ROOM,
    autosize: 'none',
    layer: [titleLayer(panel.title), ...eventLayers(events, x), ...layer],
    config: CONFIG,
  } as unknown as TopLevelSpec;
}

const LINE = { type: 'line', strokeWidth: LINE_WIDTH, invalid: 'break-paths-show-path-domains' };
const DOT = { type: 'point', filled: true, size: 16, opacity: 1 };
const NO_DATA = {
  mark: { type: 'text', fontSize: 14, color: '#767676' },
  encoding: { text: { field: 'text' }, x: { value: WIDTH / 2 }, y: { value: HEIGHT / 2 } },
};
const CONFIG = {
  // Each mark would describe itself to screen readers, point by point.
  aria: false,
  font: PICTURE_FONT,
  view: { stroke: '#d5d5d5' },
  axis: {
    labelFontSize: 11,
    labelColor: '#444444',
    gridColor: '#e8e8e8',
    tickColor: '#bbbbbb',
    domainColor: '#bbbbbb',
  },
};

/** A text in its place: a title of Vega moves with what is below it. */
function titleLayer(title: string): object {
  const mark = { type: 'text', fontSize: 14, fontWeight: 'bold', color: '#111111', align: 'left' };
  const [x, y] = [LEGEND_ROOM.x - ROOM.left, TITLE_Y - ROOM.top];
  return { data: { values: [{}] }, mark, encoding: { x: { value: x }, y: { value: y }, text: { value: title } } };
}

/** A line for each event, with its number on top. */
function eventLayers(events: readonly PictureEvent[], x: object): readonly object[] {
  if (events.length === 0) return [];
  const data = { values: events.map(({ at }, index) => ({ time: at * 1_000, number: String(index + 1) })) };
  const text = { type: 'text', fontSize: 10, color: '#767676', dy: -6 };
  return [
    { data, mark: { type: 'rule', color: '#b0b0b0', strokeDash: [2, 3] }, encoding: { x } },
    { data, mark: text, encoding: { x, y: { value: 0 }, text: { field: 'number' } } },
  ];
}

/** A number between two gaps is no line: it is drawn as a dot. */
function rowsOf(legend: string, points: readonly PanelPoint[]): readonly object[] {
  const isGap = (at: number): boolean => (points[at]?.value ?? null) === null;
  return points.map((point, at) => ({ legend, ...point, alone: !isGap(at) && isGap(at - 1) && isGap(at + 1) }));
}

/** The texts of the ticks, by their place on the axis. */
function labelExpr(texts: readonly string[]): string {
  return `${JSON.stringify(texts)}[round(datum.index * ${texts.length - 1})]`;
}
