// The settings as the charts know them: which pods read each of them, which are secrets, and what numbers may be. The templates
// read this file, so that a pod gets only the settings that it reads, and what no pod would start with is refused before
// anything is installed.
import { serviceEnvironment, SETTINGS } from '@heddle/composition';
import type { ClusterProcess, Setting } from '@heddle/composition';
import type { SettingRange } from '@heddle/platform-settings';

/** Content of each chart's file, by its path from the root of the repository. The pods of a deployment are workers. */
export function settingsFiles(): Readonly<Record<string, string>> {
  const settings = Object.entries(chartSettings());
  return {
    'charts/heddle/files/settings.yaml': fileOf(settings),
    'charts/heddle-deployment/files/settings.yaml': fileOf(
      settings
        .filter(([, { readers }]) => readers.includes('worker'))
        .map(([name, setting]) => [name, { ...setting, readers: ['worker'] }]),
    ),
  };
}

export interface ChartSetting {
  /** Components of the charts */
  readonly readers: readonly string[];
  readonly secret?: boolean;
  /** Of a number */
  readonly range?: SettingRange;
  /** Of a number that does not follow from another one */
  readonly fallback?: number;
}

const SERVICES: readonly ClusterProcess[] = ['gateway', 'validation', 'jobs', 'assets', 'logs', 'registry', 'worker'];

/** Other readers than the services of `npm run cluster`. */
const ALSO_READ_BY: Readonly<Record<string, RegExp>> = {
  migrate: /^HEDDLE_((\w+_)?DATABASE_URL$|KAFKA_|LOG_LEVEL)/,
};

/** Every setting by its name. */
export function chartSettings(): Readonly<Record<string, ChartSetting>> {
  const declared = Object.values<Setting<unknown>>(SETTINGS).map(({ name, secret, range, defaultText }) => {
    const full = `HEDDLE_${name}`;
    const services: string[] = SERVICES.filter((service) => full in serviceEnvironment(service, { [full]: '1' }));
    const others = Object.keys(ALSO_READ_BY).filter((component) => ALSO_READ_BY[component]?.test(full));
    const number = range === undefined ? {} : { range, ...fallbackOf(defaultText) };
    return [full, { readers: [...services, ...others], ...(secret === true ? { secret } : {}), ...number }] as const;
  });
  return Object.fromEntries(declared);
}

/** A default may be a text about another setting. */
function fallbackOf(defaultText: string): { readonly fallback?: number } {
  const fallback = Number(defaultText);
  return Number.isFinite(fallback) ? { fallback } : {};
}

function fileOf(settings: readonly (readonly [string, ChartSetting])[]): string {
  const lines = [...settings].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, setting]) => lineOf(name, setting));
  return `# Generated from the declarations of the settings: node tools/charts/write-chart-files.ts\n${lines.join('\n')}\n`;
}

/** As Prettier formats it. */
const MAX_LINE = 120;

function lineOf(name: string, { readers, secret, range, fallback }: ChartSetting): string {
  const facts = [
    `readers: ${readers.length === 0 ? '[]' : `[${readers.join(', ')}]`}`,
    ...(secret === true ? ['secret: true'] : []),
    ...(range === undefined ? [] : [`${range.whole ? 'whole' : 'number'}: [${range.min}, ${range.max}]`]),
    ...(fallback === undefined ? [] : [`default: ${fallback}`]),
  ];
  const map = `{ ${facts.join(', ')} }`;
  const line = `${name}: ${map}`;
  return line.length <= MAX_LINE ? line : `${name}:\n  ${map}`;
}
