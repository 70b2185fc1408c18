import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceEnvironment, SETTINGS } from '@heddle/composition';
import type { ClusterProcess, Setting } from '@heddle/composition';
import { MIN_DURATION_S, SETTING_GROUPS } from '@heddle/platform-settings';

export const SETTINGS_PAGE = 'docs/settings.md';

const SERVICES: readonly ClusterProcess[] = ['gateway', 'validation', 'jobs', 'assets', 'logs', 'registry', 'worker'];

const HEAD = `# Settings

Settings are environment variables. Each process reads them once, at its start, and exits with code 2 if a value cannot work. An empty
variable counts as unset. Durations (\`s\`) are seconds and may have fractions. Intervals, time-outs and lifetimes are at least ${MIN_DURATION_S} s; a
delay, a grace period or a minimum age may be 0.

\`heddle serve\` also takes a setting as a flag: \`--port 9000\` is \`HEDDLE_PORT=9000\`. \`npm start -- --port 9000\` does the same. The column "Read
by" names the services of a cluster that read the setting; standalone reads all of them. Keep secrets in the environment or in a file, not in
flags.

The value of a setting marked (file) may be in a file: \`HEDDLE_<NAME>_FILE\` names it, and one newline at its end is cut. A variable and its
file together are refused.

[Limits](limits.md) says what happens beyond a limit. [Run in production](how-to/run-in-production.md) says which settings to start with. The
\`OTEL_\` variables of tracing are in [Observability](observability.md#traces).

<!-- Generated from the declarations of the settings: node tools/write-settings-page.ts -->
`;

/** The page of settings, made of their declarations. */
export function settingsPage(): string {
  const settings = Object.values<Setting<unknown>>(SETTINGS);
  const groups = Object.entries(SETTING_GROUPS).map(([group, title]) => {
    const rows = settings.filter((setting) => setting.group === group).map((setting) => rowOf(setting));
    return `## ${title.charAt(0).toUpperCase()}${title.slice(1)}\n\n${table(rows)}\n`;
  });
  return [HEAD, ...groups].join('\n');
}

export function settingsPageProblems(root: string): string[] {
  const shown = readFileSync(join(root, SETTINGS_PAGE), 'utf8');
  return shown === settingsPage()
    ? []
    : [`${SETTINGS_PAGE} is not what the settings declare: run node tools/write-settings-page.ts`];
}

function rowOf(setting: Setting<unknown>): string[] {
  const name = `HEDDLE_${setting.name}`;
  const readers = SERVICES.filter((service) => name in serviceEnvironment(service, { [name]: '1' }));
  const all = readers.length === SERVICES.length;
  return [
    `\`${name}\``,
    defaultOf(setting),
    `${setting.meaning}${marksOf(setting)}`,
    all ? 'all' : readers.length === 0 ? '–' : readers.join(', '),
  ].map((cell) => cell.replaceAll('|', '\\|'));
}

function marksOf({ secret, fromFile }: Setting<unknown>): string {
  const marks = [...(secret ? ['secret'] : []), ...(fromFile ? ['file'] : [])];
  return marks.length === 0 ? '' : ` (${marks.join(', ')})`;
}

/** A number with its unit, and sizes and long durations as people say them. */
function defaultOf({ defaultText, unit }: Setting<unknown>): string {
  const value = Number(defaultText);
  if (defaultText === '') return 'empty';
  if (Number.isNaN(value))
    return /^[\w.:-]+$/.test(defaultText) && unit.includes('|') ? `\`${defaultText}\`` : defaultText;
  const plain = `${defaultText}${unit === '' || unit === 'port' ? '' : ` ${unit}`}`;
  const said = unit === 'bytes' ? sizeOf(value) : unit === 's' ? durationOf(value) : plain;
  return said === plain ? plain : `${defaultText} (${said})`;
}

export function sizeOf(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  let [value, at] = [bytes, 0];
  while (value >= 1024 && value % 1024 === 0 && at < units.length - 1) [value, at] = [value / 1024, at + 1];
  return `${value} ${units[at]}`;
}

export function durationOf(seconds: number): string {
  const day = 86_400;
  if (seconds >= day && seconds % day === 0) return seconds === day ? '24 h' : `${seconds / day} days`;
  if (seconds >= 3600 && seconds % 3600 === 0) return `${seconds / 3600} h`;
  return `${seconds} s`;
}

function table(rows: readonly (readonly string[])[]): string {
  const all = [['Setting', 'Default', 'Meaning', 'Read by'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = all;
  return [
    line(head),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...body.map((row) => line(row)),
  ].join('\n');
}
