import { readFileSync } from 'node:fs';
import { SettingRefused } from './setting.js';
import type { Declaration } from './setting.js';

/** What is known of a setting before its value. */
type Named = Pick<Declaration<unknown>, 'name' | 'fromFile'>;

/** The variables that give a setting: its own and, if a file may hold the value, the one that names the file. */
export function variablesOf({ name, fromFile }: Named): readonly string[] {
  return [`HEDDLE_${name}`, ...(fromFile ? [fileVariable(name)] : [])];
}

/**
 * The text of a setting: of its variable, or of the file that `HEDDLE_<NAME>_FILE` names, less one trailing newline.
 * @throws SettingRefused if both are given, or the file has no text; the message never holds the text
 */
export function givenText(setting: Named, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const text = env[`HEDDLE_${setting.name}`];
  const variable = fileVariable(setting.name);
  const file = (setting.fromFile ? env[variable] : undefined) ?? '';
  if (file === '') return text;
  if ((text ?? '') !== '')
    throw new SettingRefused(`HEDDLE_${setting.name} and ${variable} are both set: unset one of them`);
  const held = readText(variable, file).replace(/\r?\n$/, '');
  if (held === '') throw new SettingRefused(`${variable}: ${file} is empty`);
  return held;
}

function fileVariable(name: string): string {
  return `HEDDLE_${name}_FILE`;
}

function readText(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SettingRefused(`${variable}: ${file} ${unreadable((error as NodeJS.ErrnoException).code)}`);
  }
}

/** In the words in which the commands speak of a file. */
function unreadable(code: string | undefined): string {
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'EISDIR') return 'is a folder, not a file';
  return code === 'EACCES' ? 'cannot be read: permission denied' : `cannot be read (${code})`;
}
