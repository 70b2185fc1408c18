import type { Figures } from './measures/timing.ts';

interface Bar {
  readonly rows: RegExp;
  readonly text: string;
  met(largest: number, empty: number): boolean;
}

/** Limits at ten million jobs, checked at the largest size */
const BARS: readonly Bar[] = [
  { rows: /^list: .* p99$/, text: '<= 20', met: (largest) => largest <= 20 },
  { rows: /^positions of 100/, text: '<= 10', met: (largest) => largest <= 10 },
  { rows: /^a look for a lease/, text: '<= 2', met: (largest) => largest <= 2 },
  { rows: /^submission p50/, text: '<= 1.15x empty', met: (largest, empty) => largest <= 1.15 * empty },
  { rows: /^ten list readers/, text: '<= 1.5x', met: (largest) => largest <= 1.5 },
  { rows: /^submission beside the purge p99/, text: '<= 50', met: (largest) => largest <= 50 },
  { rows: /^answers of 500/, text: '0', met: (largest) => largest === 0 },
  { rows: /^rate with an open snapshot/, text: '>= 0.8', met: (largest) => largest >= 0.8 },
];

/** A Markdown table: rows are figures, columns are sizes, then the growth over the last step and the limit. */
export function slopeTable(sizes: readonly number[], columns: readonly Figures[]): string {
  const names = [...new Set(columns.flatMap((figures) => Object.keys(figures)))];
  const head = ['figure, ms', ...sizes.map((size) => (size === 0 ? 'empty' : `${size / 1_000_000} M`)), 'slope', 'bar'];
  const lines = names.map((name) => {
    const values = columns.map((figures) => figures[name]);
    const [before, largest] = values.slice(-2);
    const slope = before === undefined || largest === undefined ? '' : `${(largest / before).toFixed(2)}x`;
    return [name, ...values.map(shown), slope, judged(name, values[0], largest)];
  });
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function shown(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '';
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}

function judged(name: string, empty = Number.NaN, largest = Number.NaN): string {
  const bar = BARS.find(({ rows }) => rows.test(name));
  if (bar === undefined || Number.isNaN(largest)) return bar?.text ?? '';
  return `${bar.text} ${bar.met(largest, empty) ? 'met' : 'MISSED'}`;
}
