// Asks a Prometheus for what a panel shows.
import { PANELS, type Panel } from '../dashboard.ts';
import { askPrometheus } from '../prometheus/ask-prometheus.ts';
import { distinctLegends, legendOf } from './legend.ts';

/** In seconds since 1970. */
export interface PictureWindow {
  readonly from: number;
  readonly to: number;
  readonly scrapeIntervalS: number;
  /** What happened, marked in every panel by its number. */
  readonly events?: readonly PictureEvent[];
}

export interface PictureEvent {
  /** In seconds since 1970 */
  readonly at: number;
  readonly what: string;
}

export interface PanelPoint {
  /** Milliseconds since 1970 */
  readonly time: number;
  /** Null: Prometheus had no number, and the line has a gap. */
  readonly value: number | null;
}

export interface PanelLine {
  readonly legend: string;
  readonly points: readonly PanelPoint[];
}

export interface PanelData {
  readonly panel: Panel;
  readonly lines: readonly PanelLine[];
}

interface RangeSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [time: number, value: string])[];
}

const MAX_POINTS = 120;

export async function dashboardData(url: string, window: PictureWindow): Promise<readonly PanelData[]> {
  return await Promise.all(PANELS.map(async (panel) => await panelData(url, panel, window)));
}

async function panelData(url: string, panel: Panel, window: PictureWindow): Promise<PanelData> {
  const { from, to, scrapeIntervalS } = window;
  const stepS = Math.max(scrapeIntervalS, Math.ceil((to - from) / MAX_POINTS));
  // Grafana's rule: a rate needs two samples, and one scrape may fail.
  const rateIntervalS = Math.max(4 * scrapeIntervalS, stepS + scrapeIntervalS);
  const times = Array.from({ length: Math.floor((to - from) / stepS) + 1 }, (_, at) => from + at * stepS);
  const found = await Promise.all(
    Object.entries(panel.series).map(async ([template, expr]) => {
      const query = expr.replaceAll('$__rate_interval', `${rateIntervalS}s`);
      const range = { query, start: String(from), end: String(to), step: String(stepS) };
      const path = `query_range?${new URLSearchParams(range).toString()}`;
      const { result } = await askPrometheus<{ result: RangeSeries[] }>(url, path);
      return result.map((series) => ({ legend: legendOf(template, series.metric), points: pointsOf(series, times) }));
    }),
  );
  const lines = found.flat().filter(({ points }) => points.some(({ value }) => value !== null));
  const legends = distinctLegends(lines.map(({ legend }) => legend));
  return { panel, lines: lines.map(({ points }, at) => ({ legend: legends[at]!, points })) };
}

/** Prometheus leaves out the instants of a series without a sample, and says NaN for a quantile of nothing. */
function pointsOf({ values }: RangeSeries, times: readonly number[]): PanelPoint[] {
  const byTime = new Map(values.map(([time, value]) => [Math.round(time), Number(value)]));
  return times.map((time) => {
    const value = byTime.get(Math.round(time)) ?? Number.NaN;
    return { time: time * 1_000, value: Number.isFinite(value) ? value : null };
  });
}
