import { SETTING_GROUPS, SettingRefused } from '@heddle/platform-settings';
import type { Setting, SettingGroup } from '@heddle/platform-settings';
import { NearestName } from '@heddle/workflow-graph';
import { SETTINGS } from './settings-table.js';

/** `--queue-depth-account` for `QUEUE_DEPTH_ACCOUNT`. */
export function flagOf(setting: Pick<Setting<unknown>, 'name'>): string {
  return `--${setting.name.toLowerCase().replaceAll('_', '-')}`;
}

export interface ReadFlags {
  /** Values by environment name, for example `{HEDDLE_PORT: '9000'}` */
  readonly env: Readonly<Record<string, string>>;
  /** One message for each unknown flag or missing value */
  readonly refusals: readonly string[];
}

/**
 * Reads flags of settings: `--port 9000` and `--port=9000`. `others`: flags that the caller reads itself, for suggestions on
 * a misspelled flag.
 */
export function readFlags(
  words: readonly string[],
  settings: readonly Setting<unknown>[],
  others: readonly string[] = [],
): ReadFlags {
  const byFlag = new Map(settings.flatMap(flagsOf));
  const env: Record<string, string> = {};
  const refusals: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const equals = word.indexOf('=');
    const flag = equals < 0 ? word : word.slice(0, equals);
    const hasValue = equals < 0 && words[at + 1]?.startsWith('--') === false;
    const setting = byFlag.get(flag);
    const value = equals < 0 ? (hasValue ? words[++at] : undefined) : word.slice(equals + 1);
    if (setting === undefined) {
      refusals.push(unknownFlag(flag, [...others, ...byFlag.keys()]));
    } else if (value === undefined) {
      refusals.push(`${flag} needs a value${setting.unit === '' ? '' : ` (${setting.unit})`}`);
    } else env[`HEDDLE_${setting.name}`] = value;
  }
  return { env, refusals };
}

/** A setting's flag and, if a file may hold its value, the flag that names the file. */
function flagsOf(setting: Setting<unknown>): [flag: string, given: Pick<Setting<unknown>, 'name' | 'unit'>][] {
  const file = { name: `${setting.name}_FILE`, unit: 'file' };
  return [[flagOf(setting), setting], ...(setting.fromFile ? [[flagOf(file), file] as [string, typeof file]] : [])];
}

/** A refusal of a setting that was given as a flag names the flag: the user never wrote the variable. */
export function namedAsGiven(message: string, { env }: ReadFlags): string {
  return message.replace(/HEDDLE_([A-Z\d_]+)/g, (variable, name: string) =>
    env[variable] === undefined ? variable : flagOf({ name }),
  );
}

/** @throws SettingRefused with every problem of the flags */
export function readSettingFlags(
  words: readonly string[],
  settings: readonly Setting<unknown>[],
  others: readonly string[] = [],
): Readonly<Record<string, string>> {
  const { env, refusals } = readFlags(words, settings, others);
  if (refusals.length > 0) throw SettingRefused.of(refusals);
  return env;
}

/** Flags that npm consumed because `--` was missing: `npm start --port 9000` would listen on 8189. */
export function swallowedFlags(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (env['npm_lifecycle_event'] !== 'start') return [];
  return Object.values(SETTINGS).flatMap((setting) => {
    const value = env[`npm_config_${setting.name.toLowerCase()}`];
    if (value === undefined) return [];
    const flag = flagOf(setting);
    return [
      `npm took ${flag} for an option of its own: write npm start -- ${flag} ${value === 'true' ? 'VALUE' : value}`,
    ];
  });
}

function unknownFlag(flag: string, known: Iterable<string>): string {
  if (!flag.startsWith('-')) return `unexpected "${flag}": settings are flags, such as --port 9000`;
  // Compared without their dashes, which every flag shares: --bogus is not --port.
  const names = [...known].filter((name) => name.startsWith('--')).map((name) => name.slice(2));
  const meant = new NearestName(names).of(flag.replace(/^-+/, ''));
  return `unknown setting "${flag}"; ${meant === null ? '--help lists every setting' : `did you mean --${meant}?`}`;
}

/** Common settings, first in the help. */
const COMMON = [
  'PORT',
  'HOST',
  'STATIC_TOKEN',
  'ALLOWED_HOSTS',
  'DATA',
  'DATABASE_URL',
  'ENGINE',
  'WORKERS',
  'LOG_LEVEL',
];

/** The help: common settings, then the others by group, without those for tests. Two lines for each setting. */
export function renderSettings(settings: readonly Setting<unknown>[]): string[] {
  const common = COMMON.flatMap((name) => settings.filter((setting) => setting.name === name));
  const rest = settings.filter((setting) => !common.includes(setting));
  const groups = Object.entries(SETTING_GROUPS)
    .filter(([group]) => group !== ('tests' satisfies SettingGroup))
    .map(([group, title]) => [title, rest.filter((setting) => setting.group === group)] as const);
  return [
    'Settings, as flags or in the environment. Those that most people set:',
    ...common.flatMap(renderSetting),
    ...groups.flatMap(([title, of]) => (of.length === 0 ? [] : ['', `${title}:`, ...of.flatMap(renderSetting)])),
  ];
}

/** First line: flag, environment name, unit. Second line: meaning and default. */
function renderSetting(setting: Setting<unknown>): string[] {
  return [
    `  ${`${flagOf(setting)}${setting.unit === '' ? '' : ` <${setting.unit}>`}`.padEnd(44)} HEDDLE_${setting.name}`,
    `      ${setting.meaning} (default: ${setting.defaultText})${setting.fromFile ? `; or in a file: HEDDLE_${setting.name}_FILE` : ''}`,
  ];
}
