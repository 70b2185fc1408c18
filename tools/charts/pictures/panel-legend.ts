// The legend below a plot, one entry after the other as in Grafana. Vega's own guesses widths, and has rows cut off.
import { lineStyle, PICTURE_FONT } from './line-style.ts';

const [FONT_SIZE, ROW, SYMBOL, GAP] = [11, 16, 22, 14];
/** Of DejaVu Sans, the widest of the fonts, with some room */
const WIDTH_OF_CHARACTER = 0.64 * FONT_SIZE;

export interface LegendRoom {
  readonly x: number;
  /** Baseline of the first row */
  readonly y: number;
  readonly width: number;
  readonly rows: number;
}

/** As many entries as there is room for; then how many more there are. */
export function panelLegend(legends: readonly string[], room: LegendRoom): string {
  const places = placesOf(legends, room.width);
  const shown = places.filter(({ row }) => row < room.rows);
  const isCut = shown.length < legends.length;
  const entries = (isCut ? shown.slice(0, -1) : shown).map((place, at) => entry(legends[at]!, at, place, room));
  if (!isCut) return entries.join('');
  const { left, row } = shown.at(-1)!;
  const more = `and ${legends.length - entries.length} more`;
  return [...entries, label(more, room.x + left, room.y + row * ROW)].join('');
}

interface Place {
  readonly left: number;
  readonly row: number;
}

function placesOf(legends: readonly string[], width: number): readonly Place[] {
  let [left, row] = [0, 0];
  return legends.map((legend) => {
    const own = SYMBOL + legend.length * WIDTH_OF_CHARACTER;
    if (left > 0 && left + own > width) [left, row] = [0, row + 1];
    const place = { left, row };
    left += own + GAP;
    return place;
  });
}

function entry(legend: string, at: number, { left, row }: Place, room: LegendRoom): string {
  const [x, y] = [Math.round(room.x + left), room.y + row * ROW];
  const { colour, dash } = lineStyle(at);
  const line = `<path d="M${x},${y - 4}h${SYMBOL - 6}" stroke="${colour}" stroke-width="2.5" stroke-dasharray="${dash.join()}"/>`;
  return `${line}${label(legend, x + SYMBOL, y)}`;
}

function label(text: string, x: number, y: number): string {
  return `<text x="${Math.round(x)}" y="${y}" font-family="${PICTURE_FONT}" font-size="${FONT_SIZE}" fill="#222222">${escaped(text)}</text>`;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
