import { describe, expect, it } from 'vitest';
import { PANELS, type Panel } from '../dashboard.ts';
import { dashboardPicture } from './dashboard-picture.ts';
import type { PanelLine } from './panel-data.ts';

const FROM = Date.UTC(2026, 10, 28, 14) / 1_000;
const WINDOW = { from: FROM, to: FROM + 300, scrapeIntervalS: 15 };
const REQUESTS = PANELS.find(({ title }) => title === 'Requests by status')!;

const line = (legend: string, values: readonly (number | null)[]): PanelLine => ({
  legend,
  points: values.map((value, at) => ({ time: (FROM + at * 15) * 1_000, value })),
});
const drawn = async (lines: readonly PanelLine[], panel: Panel = REQUESTS): Promise<string> =>
  await dashboardPicture([{ panel, lines }], WINDOW);
const COLOUR = '#0072b2';
const piecesOf = (picture: string): number => lineOf(picture).split('M').length - 1;
const lineOf = (picture: string): string =>
  picture
    .match(/<path [^>]+>/g)!
    .find((path) => path.includes(`stroke="${COLOUR}"`) && path.includes('stroke-width="1.6"'))!;
const dotsOf = (picture: string): number => picture.split(`fill="${COLOUR}"`).length;

describe('the picture of the dashboard', () => {
  it('has the title, the legends and the unit of a panel, and the window', async () => {
    const picture = await drawn([line('200', [1, 2, 3]), line('404', [0, 0, 1])]);
    for (const text of ['Requests by status', '200', '404', '3 req/s', '14:01']) expect(picture).toContain(`>${text}<`);
    expect(picture).toContain('Heddle, 2026-11-28 14:00 to 14:05 UTC');
    expect(picture).not.toContain('no data');
  });

  it('says "no data" in a panel without a number', async () => {
    for (const lines of [[], [line('200', [null, null])]]) {
      const picture = await drawn(lines);
      expect(picture).toContain('>no data<');
      expect(picture).toContain('>Requests by status<');
    }
  });

  it('interrupts a line where there is no number, and keeps a number between two gaps', async () => {
    const whole = await drawn([line('200', [1, 2, 3, 4])]);
    const broken = await drawn([line('200', [1, 2, null, 3, null, 4, 5])]);
    expect([piecesOf(whole), piecesOf(broken)]).toEqual([1, 3]);
    expect(dotsOf(broken) - dotsOf(whole)).toBe(1);
  });

  it('marks events in every panel by a number that the heading explains', async () => {
    const window = { ...WINDOW, events: [{ at: FROM + 60, what: 'a <burst> of jobs' }] };
    const picture = await dashboardPicture([{ panel: REQUESTS, lines: [] }], window);
    expect(picture).toContain('>1: a &lt;burst&gt; of jobs<');
    expect(picture).toContain('>1<');
  });

  it('is one SVG with every panel, on white', async () => {
    const picture = await dashboardPicture(
      PANELS.map((panel) => ({ panel, lines: [] })),
      WINDOW,
    );
    for (const { title } of PANELS) expect(picture).toContain(`>${title}<`);
    expect(picture.match(/xmlns=/g)).toHaveLength(1);
    expect(picture).toMatch(/^<svg [^>]+>\n<title>.+<\/title>\n<rect width="\d+" height="\d+" fill="#ffffff"\/>/);
  });
});
