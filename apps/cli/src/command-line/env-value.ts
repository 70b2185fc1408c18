import { givenText, SettingRefused } from '@heddle/platform-settings';
import { wrongUsage } from '../failure.js';
import type { ProcessVariables } from '@heddle/platform-telemetry';

/** An empty environment variable counts as unset. */
export function envValue(env: ProcessVariables, name: string): string | null {
  return env[name] || null;
}

/** A secret: of its variable, or of the file that `<name>_FILE` names. */
export function secretValue(env: ProcessVariables, name: `HEDDLE_${string}`): string | null {
  try {
    return givenText({ name: name.slice('HEDDLE_'.length), fromFile: true }, env) || null;
  } catch (error) {
    throw error instanceof SettingRefused ? wrongUsage(error.message) : error;
  }
}
