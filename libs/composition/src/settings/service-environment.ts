import { variablesOf } from '@heddle/platform-settings';
import { pickEnvironment, systemEnvironment } from '@heddle/platform-telemetry/child-environment';
import { READ_BY, SETTINGS } from './settings-table.js';
import type { ClusterProcess } from './settings-table.js';

/** The keys of the settings that a service reads. */
export function settingsOf(service: ClusterProcess): ReadonlySet<keyof typeof SETTINGS> {
  return new Set(READ_BY[service]);
}

/** Environment of a service's process: only system variables and the settings of this service. */
export function serviceEnvironment(
  service: ClusterProcess,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const names = new Set(READ_BY[service].flatMap((key) => variablesOf(SETTINGS[key])));
  return { ...systemEnvironment(env), ...pickEnvironment(env, (name) => names.has(name)) };
}
