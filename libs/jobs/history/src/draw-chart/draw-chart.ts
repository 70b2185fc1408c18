import { createRequire } from 'node:module';
import type { QueryRows } from '../query-history/ask-question.js';
import { chartColumns, type WantedColumns } from './chart-columns.js';
import { chartPoints } from './chart-points.js';
import { CHART_FONT, chartSpec, maxSeries, type ChartMark } from './chart-spec.js';

export interface ChartOptions extends WantedColumns {
  readonly mark: ChartMark;
  readonly format: 'svg' | 'png';
  /** The question, which an SVG keeps in its description. */
  readonly sql: string;
}

/** Two pixels for one: texts stay sharp in a document. */
const ZOOM = 2;
const require = createRequire(import.meta.url);

/** Draws the rows. The packages are loaded here, so that a question without a picture does not pay for them. */
export async function drawChart(found: QueryRows, options: ChartOptions): Promise<Buffer> {
  const columns = chartColumns(found.columns, options);
  const points = await chartPoints(found, columns, maxSeries(options.mark));
  const [{ parse, View }, { compile }] = await Promise.all([import('vega'), import('vega-lite')]);
  const { spec } = compile(chartSpec(options.mark, found.columns, columns, points));
  const view = new View(parse(spec), { renderer: 'none' });
  try {
    const svg = withDescription(await view.toSVG(), options.sql);
    return options.format === 'svg' ? Buffer.from(svg) : await rasterOf(svg);
  } finally {
    view.finalize();
  }
}

async function rasterOf(svg: string): Promise<Buffer> {
  const { Resvg } = await import('@resvg/resvg-js');
  const fontFiles = [
    require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
    require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  ];
  // A machine may have no fonts at all; those that it has draw the scripts that this one does not know.
  const font = { fontFiles, loadSystemFonts: true, defaultFontFamily: CHART_FONT };
  const picture = new Resvg(svg, { font, fitTo: { mode: 'zoom', value: ZOOM }, background: 'white' });
  return Buffer.from(picture.render().asPng());
}

/** `desc` is the first child of the picture (SVG 2, descriptive elements). */
function withDescription(svg: string, sql: string): string {
  const text = sql
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ' ')
    .replace(/[&<>]/g, (found) => (found === '&' ? '&amp;' : found === '<' ? '&lt;' : '&gt;'));
  return svg.replace(/<svg\b[^>]*>/, (opening) => `${opening}<desc>${text}</desc>`);
}
