import { SettingRefused } from '@heddle/platform-settings';
import type { Setting } from '@heddle/platform-settings';
import { NearestName } from '@heddle/workflow-graph';

/** `--queue-depth-account` of `QUEUE_DEPTH_ACCOUNT`. */
export function flagOf(setting: Pick<Setting<unknown>, 'name'>): string {
  return `--${setting.name.toLowerCase().replaceAll('_', '-')}`;
}

/** `--port 9000` and `--port=9000` as `{HEDDLE_PORT: '9000'}`: the flags that have the settings' own names. */
export function readSettingFlags(
  words: readonly string[],
  settings: readonly Setting<unknown>[],
): Record<string, string> {
  const byFlag = new Map(settings.map((setting) => [flagOf(setting), setting]));
  const env: Record<string, string> = {};
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const equals = word.indexOf('=');
    const flag = equals < 0 ? word : word.slice(0, equals);
    const setting = byFlag.get(flag);
    if (setting === undefined) {
      const meant = new NearestName(byFlag.keys()).of(flag);
      const hint = meant === null ? '--help lists every setting' : `did you mean ${meant}?`;
      throw new SettingRefused(`unknown setting "${flag}"; ${hint}`);
    }
    const value = equals < 0 ? words[++at] : word.slice(equals + 1);
    if (value === undefined)
      throw new SettingRefused(`${flag} needs a value${setting.unit === '' ? '' : ` (${setting.unit})`}`);
    env[`HEDDLE_${setting.name}`] = value;
  }
  return env;
}

/** Every setting in two lines: flag, environment, unit, default; then what it means. */
export function renderSettings(settings: readonly Setting<unknown>[]): string[] {
  return [
    'settings, as flags or in the environment:',
    ...settings.flatMap((setting) => [
      `  ${`${flagOf(setting)}${setting.unit === '' ? '' : ` <${setting.unit}>`}`.padEnd(44)} HEDDLE_${setting.name}`,
      `      ${setting.meaning} (default: ${setting.defaultText})`,
    ]),
  ];
}
