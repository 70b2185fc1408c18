// Numbers with their units, as Grafana shows them.
import type { PanelUnit } from '../dashboard.ts';

interface Scale {
  readonly factor: number;
  readonly one: string;
  readonly many: string;
}

const scale = (factor: number, one: string, many = one): Scale => ({ factor, one, many });

/** From large to small. The last scale also shows what is smaller. */
const SECONDS = [
  scale(31_536_000, ' year', ' years'),
  scale(604_800, ' week', ' weeks'),
  scale(86_400, ' day', ' days'),
  scale(3_600, ' hour', ' hours'),
  scale(60, ' min', ' mins'),
  scale(1, ' s'),
  scale(1e-3, ' ms'),
  scale(1e-6, ' µs'),
  scale(1e-9, ' ns'),
];
const BYTES = [
  scale(1_024 ** 4, ' TiB'),
  scale(1_024 ** 3, ' GiB'),
  scale(1_024 ** 2, ' MiB'),
  scale(1_024, ' KiB'),
  scale(1, ' B'),
];
const REQUESTS = [scale(1e6, 'M req/s'), scale(1e3, 'K req/s'), scale(1, ' req/s')];
const COUNTS = [scale(1e9, ' Bil'), scale(1e6, ' Mil'), scale(1e3, ' K'), scale(1, '')];
const SCALES: Readonly<Record<PanelUnit, readonly Scale[]>> = {
  s: SECONDS,
  bytes: BYTES,
  reqps: REQUESTS,
  short: COUNTS,
  percentunit: [scale(0.01, '%')],
};
const ZERO: Readonly<Record<PanelUnit, string>> = {
  s: '0 s',
  bytes: '0 B',
  reqps: '0 req/s',
  short: '0',
  percentunit: '0%',
};

/** `0.25` seconds as `250 ms`. */
export function unitText(value: number, unit: PanelUnit): string {
  if (value === 0) return ZERO[unit];
  const { factor, one, many } = scaleOf(value, unit);
  const shown = Number((value / factor).toPrecision(3));
  return `${shown}${shown === 1 ? one : many}`;
}

/** What a number of this size is divided by: 60 for minutes. */
export function factorOf(value: number, unit: PanelUnit): number {
  return scaleOf(value, unit).factor;
}

function scaleOf(value: number, unit: PanelUnit): Scale {
  const scales = SCALES[unit];
  return scales.find(({ factor }) => Math.abs(value) >= factor) ?? scales.at(-1)!;
}
