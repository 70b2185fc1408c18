// The settings as the charts know them: which pods read each of them, and which are secrets. The templates read this file,
// so that a pod gets only the settings that it reads, and an unknown name is refused before anything is installed.
import { serviceEnvironment, SETTINGS } from '@heddle/composition';
import type { ClusterProcess, Setting } from '@heddle/composition';

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
}

const SERVICES: readonly ClusterProcess[] = ['gateway', 'validation', 'jobs', 'assets', 'logs', 'registry', 'worker'];

/** Other readers than the services of `npm run cluster`. */
const ALSO_READ_BY: Readonly<Record<string, RegExp>> = {
  migrate: /^HEDDLE_((\w+_)?DATABASE_URL$|KAFKA_|LOG_LEVEL)/,
};

/** Every setting by its name. */
export function chartSettings(): Readonly<Record<string, ChartSetting>> {
  const declared = Object.values<Setting<unknown>>(SETTINGS).map(({ name, secret }) => {
    const full = `HEDDLE_${name}`;
    const services: string[] = SERVICES.filter((service) => full in serviceEnvironment(service, { [full]: '1' }));
    const others = Object.keys(ALSO_READ_BY).filter((component) => ALSO_READ_BY[component]?.test(full));
    return [full, { readers: [...services, ...others], ...(secret === true ? { secret } : {}) }] as const;
  });
  return Object.fromEntries(declared);
}

function fileOf(settings: readonly (readonly [string, ChartSetting])[]): string {
  const lines = [...settings]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { readers, secret }]) => {
      const list = readers.length === 0 ? '[]' : `[${readers.join(', ')}]`;
      return `${name}: { readers: ${list}${secret === true ? ', secret: true' : ''} }`;
    });
  return `# Generated from the declarations of the settings: node tools/charts/write-chart-files.ts\n${lines.join('\n')}\n`;
}
