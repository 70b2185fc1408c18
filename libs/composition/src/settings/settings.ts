import { isIP } from 'node:net';
import { readDeclared, SettingRefused } from '@heddle/platform-settings';
import type { SettingValues } from '@heddle/platform-settings';
import { NearestName } from '@heddle/workflow-graph';
import { SETTINGS } from './settings-table.js';

/** From the port of the API to the health port, where that is not set. */
const OPS_PORT_DISTANCE = 1_000;

/** The environment, read once: every setting of the table by its key. */
export type Settings = SettingValues<typeof SETTINGS> & { readonly effectiveOpsPort: number };

/** Reads the environment and refuses what cannot work, naming the setting and what would be right. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const settings = readDeclared(SETTINGS, env);
  refuseWhatCannotWork(settings);
  const effectiveOpsPort = settings.opsPort ?? (settings.port === 0 ? 0 : settings.port + OPS_PORT_DISTANCE);
  return { ...settings, effectiveOpsPort };
}

/** Variables of the `heddle` command alone, by what sets the like of the service. */
const OF_THE_COMMAND: Readonly<Record<string, string>> = {
  HEDDLE_URL: 'HEDDLE_HOST and HEDDLE_PORT set where the service listens',
  HEDDLE_TOKEN: 'HEDDLE_STATIC_TOKEN sets the token that the service asks for',
};

/** A line for each HEDDLE_ variable that the services ignore, usually a spelling mistake: it says what to use instead. */
export function unknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set(Object.values(SETTINGS).map(({ name }) => `HEDDLE_${name}`));
  const nearest = new NearestName(known);
  return Object.keys(env)
    .filter((name) => name.startsWith('HEDDLE_') && !known.has(name))
    .map((name) => {
      const instead = OF_THE_COMMAND[name];
      if (instead !== undefined) return `${name} is a setting of the heddle command, ignored here; ${instead}`;
      const meant = nearest.of(name);
      const hint = meant === null ? 'heddle serve --help lists every setting' : `did you mean ${meant}?`;
      return `unknown setting ${name}, ignored; ${hint}`;
    });
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function refuseWhatCannotWork(settings: SettingValues<typeof SETTINGS>): void {
  if (!isLoopback(settings.host) && settings.staticToken === null) {
    throw new SettingRefused(
      `HEDDLE_HOST ${settings.host} is reachable from other machines: set HEDDLE_STATIC_TOKEN, or leave HEDDLE_HOST at 127.0.0.1`,
    );
  }
  if (settings.opsPort === null && settings.port > 65_535 - OPS_PORT_DISTANCE) {
    throw new SettingRefused(
      `HEDDLE_OPS_PORT would be ${settings.port + OPS_PORT_DISTANCE}, HEDDLE_PORT and ${OPS_PORT_DISTANCE}: set it to a port of 65535 or less`,
    );
  }
  if (settings.opsPort === settings.port && settings.port !== 0) {
    throw new SettingRefused(
      `HEDDLE_PORT and HEDDLE_OPS_PORT are both ${settings.port}: the API and the health port need a port each`,
    );
  }
  if (settings.surface !== 'self-hosted') {
    throw new SettingRefused(`HEDDLE_SURFACE=${settings.surface} is not built yet: this version serves self-hosted`);
  }
  if (settings.engine !== 'builtin' && !isHttpUrl(settings.engine)) {
    throw new SettingRefused(
      `HEDDLE_ENGINE must be builtin or the URL of an engine, such as http://127.0.0.1:8188, not "${settings.engine}"`,
    );
  }
  if (settings.bodyBudget < settings.bodyBytes) {
    throw new SettingRefused(
      `HEDDLE_BODY_BUDGET_BYTES ${settings.bodyBudget} has no room for one body: it must be HEDDLE_BODY_BYTES (${settings.bodyBytes}) or more`,
    );
  }
  if (settings.registryPort !== null) {
    throw new SettingRefused(
      'HEDDLE_REGISTRY_PORT is for a part that is not built yet (docs/architecture/00-overview.md): unset it',
    );
  }
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}
