import { heddleVersion } from '@heddle/platform-telemetry/version';
import type { Settings } from '../settings/settings.js';
import { openAddressLines, otherAddresses, urlOf } from './listen-address.js';
import { wrapWords } from './wrap-words.js';

/** A label of one word, and its value. */
export type StartFact = readonly [label: string, value: string];

/** What of the process says how to write to its terminal. */
interface StartTerminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stderr: { readonly columns?: number };
}

const LABEL_WIDTH = 10;
const DEFAULT_COLUMNS = 80;

/** Lines for a person who starts the service on a terminal: version, addresses, and facts of the process. */
export function startLines(
  settings: Pick<Settings, 'host' | 'allowedHosts'>,
  port: number,
  facts: readonly StartFact[],
  { env, stderr }: StartTerminal,
): readonly string[] {
  const coloured = (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  const paint = (code: number, text: string): string => (coloured ? `\u001b[${code}m${text}\u001b[0m` : text);
  const columns = stderr.columns ?? DEFAULT_COLUMNS;
  const urls = [urlOf(settings.host, port), ...otherAddresses(settings.host).map((name) => `http://${name}:${port}`)];
  // The first of them repeats the addresses, which are listed above it.
  const hosts = openAddressLines(settings, port).at(-1);
  const rows: readonly StartFact[] = [
    ['address', [...new Set(urls)].join(' ')],
    ...(hosts === undefined ? [] : [['hosts', hosts] as const]),
    ...facts,
  ];
  return [
    paint(1, `Heddle ${heddleVersion()}`),
    ...rows.flatMap(([label, value]) =>
      wrapWords(value, Math.max(20, columns - LABEL_WIDTH - 2)).map(
        (line, at) => `  ${paint(2, (at === 0 ? label : '').padEnd(LABEL_WIDTH))}${line}`,
      ),
    ),
  ];
}
