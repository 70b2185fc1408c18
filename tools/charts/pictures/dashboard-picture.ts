// All panels of the dashboard as one SVG, in the order of the dashboard's page.
import { parse, View } from 'vega';
import { compile } from 'vega-lite';
import { dashboardData, type PanelData, type PictureWindow } from './panel-data.ts';
import { PICTURE_FONT } from './line-style.ts';
import { escaped, panelLegend } from './panel-legend.ts';
import { LEGEND_ROOM, PANEL_HEIGHT, PANEL_WIDTH, panelSpec } from './panel-spec.ts';

const COLUMNS = 3;
const [GAP, MARGIN, HEADING, EVENT_ROW] = [12, 16, 44, 20];

/** Draws what a Prometheus knows of the window. */
export async function drawDashboard(url: string, window: PictureWindow): Promise<string> {
  return await dashboardPicture(await dashboardData(url, window), window);
}

export async function dashboardPicture(panels: readonly PanelData[], window: PictureWindow): Promise<string> {
  const { events = [] } = window;
  const rows = Math.ceil(panels.length / COLUMNS);
  const width = 2 * MARGIN + COLUMNS * PANEL_WIDTH + (COLUMNS - 1) * GAP;
  const top = HEADING + Math.ceil(events.length / COLUMNS) * EVENT_ROW;
  const height = top + MARGIN + rows * PANEL_HEIGHT + (rows - 1) * GAP;
  const cards = await Promise.all(
    panels.map(async (data, at) => card(cornerOf(at, PANEL_HEIGHT + GAP, top), await panelPicture(data, window))),
  );
  const heading = `Heddle, ${momentText(window.from)} to ${momentText(window.to).slice(11)} UTC`;
  const font = `font-family="${PICTURE_FONT}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${heading}</title>`,
    // The page below the picture may be dark.
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="${MARGIN}" y="29" ${font} font-size="18" font-weight="bold" fill="#111111">${heading}</text>`,
    ...events.map(({ what }, at) => eventText(`${at + 1}: ${what}`, cornerOf(at, EVENT_ROW, HEADING + 8))),
    ...cards,
    '</svg>\n',
  ].join('\n');
}

async function panelPicture(data: PanelData, window: PictureWindow): Promise<string> {
  const view = new View(parse(compile(panelSpec(data, window)).spec), { renderer: 'none' });
  try {
    const legend = panelLegend(
      data.lines.map((line) => line.legend),
      LEGEND_ROOM,
    );
    return (await view.toSVG()).replace(/<\/svg>$/, () => `${legend}</svg>`);
  } finally {
    view.finalize();
  }
}

interface Corner {
  readonly x: number;
  readonly y: number;
}

function cornerOf(at: number, rowHeight: number, top: number): Corner {
  return { x: MARGIN + (at % COLUMNS) * (PANEL_WIDTH + GAP), y: top + Math.floor(at / COLUMNS) * rowHeight };
}

/** Explains the number of an event. */
function eventText(text: string, { x, y }: Corner): string {
  return `<text x="${x}" y="${y}" font-family="${PICTURE_FONT}" font-size="12" fill="#444444">${escaped(text)}</text>`;
}

/** A picture in its place: an SVG within an SVG. */
function card({ x, y }: Corner, picture: string): string {
  const size = `width="${PANEL_WIDTH}" height="${PANEL_HEIGHT}"`;
  const frame = `<rect x="${x}" y="${y}" ${size} rx="4" fill="#ffffff" stroke="#d0d0d0"/>`;
  return `${frame}\n${picture.replace(/<svg\b[^>]*>/, `<svg x="${x}" y="${y}" ${size}>`)}`;
}

/** `2026-11-28 14:05` */
function momentText(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ');
}
