/** What `tools/charts/draw-dashboard.ts` does. */
export interface DrawCommand {
  readonly prometheus: string;
  readonly minutes: number;
  readonly out: string;
  readonly scrapeIntervalS: number;
}

/** A command line that has to be written in another way. */
export class DrawUsageError extends Error {
  override readonly name = 'DrawUsageError';
}

/** The interval of the chart's ServiceMonitor. */
const SCRAPE_INTERVAL_S = 15;
const MAX_MINUTES = 7 * 24 * 60;

export const DRAW_HELP = `Draws every panel of Heddle's dashboard as one SVG, from a Prometheus that scrapes Heddle.

  node tools/charts/draw-dashboard.ts --prometheus http://localhost:9090 --minutes 60 --out heddle.svg

  --prometheus URL      address of the Prometheus
  --minutes N           length of the window, which ends now
  --out FILE            file to write; an existing file is overwritten
  --scrape-interval S   how often this Prometheus scrapes Heddle, in seconds; default: ${SCRAPE_INTERVAL_S}
  --help                this text
`;

const OPTIONS = ['--prometheus', '--minutes', '--out', '--scrape-interval'];

/** Throws DrawUsageError. */
export function readDrawCommand(words: readonly string[]): DrawCommand | 'help' {
  if (words.includes('--help')) return 'help';
  const given = new Map<string, string>();
  for (let at = 0; at < words.length; at += 2) {
    const [option, value] = [words[at]!, words[at + 1]];
    if (!OPTIONS.includes(option)) throw new DrawUsageError(`"${option}" is not an option; --help lists them`);
    if (given.has(option)) throw new DrawUsageError(`${option} is given twice: give it once`);
    if (value === undefined || OPTIONS.includes(value)) throw new DrawUsageError(`${option} needs a value`);
    given.set(option, value);
  }
  const missing = OPTIONS.slice(0, 3).filter((option) => !given.has(option));
  if (missing.length > 0) throw new DrawUsageError(`${missing.join(' and ')} must be given; --help has an example`);
  return {
    prometheus: addressOf(given.get('--prometheus')!),
    minutes: wholeNumber('--minutes', given.get('--minutes')!, MAX_MINUTES),
    out: given.get('--out')!,
    scrapeIntervalS: wholeNumber(
      '--scrape-interval',
      given.get('--scrape-interval') ?? String(SCRAPE_INTERVAL_S),
      3_600,
    ),
  };
}

function addressOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new DrawUsageError(`--prometheus: "${text}" is not an address; give one such as http://localhost:9090`);
}

function wholeNumber(option: string, text: string, max: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= max) return number;
  throw new DrawUsageError(`${option}: "${text}" is not a whole number from 1 to ${max}`);
}
