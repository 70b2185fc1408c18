import { isIP } from 'node:net';
import { SETTINGS } from './settings-table.js';
import { SettingRefused } from './setting-kinds.js';
import type { Setting } from './setting-kinds.js';

type Table = typeof SETTINGS;

/** The environment, read once: every setting of the table by its key. */
export type Settings = { readonly [K in keyof Table]: Table[K] extends Setting<infer T> ? T : never } & {
  readonly effectiveOpsPort: number;
};

/** Reads the environment and refuses what cannot work, naming the setting and what would be right. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const entries = Object.entries(SETTINGS).map(([key, setting]) => [key, setting.read(env[`HEDDLE_${setting.name}`])]);
  const settings = Object.fromEntries(entries) as Omit<Settings, 'effectiveOpsPort'>;
  refuseWhatCannotWork(settings);
  const effectiveOpsPort = settings.opsPort ?? (settings.port === 0 ? 0 : settings.port + 1000);
  return { ...settings, effectiveOpsPort };
}

/** Names of HEDDLE_ variables that mean nothing: usually a spelling mistake that somebody wants to know of. */
export function unknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set(Object.values(SETTINGS).map(({ name }) => `HEDDLE_${name}`));
  return Object.keys(env).filter((name) => name.startsWith('HEDDLE_') && !known.has(name));
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function refuseWhatCannotWork(settings: Omit<Settings, 'effectiveOpsPort'>): void {
  if (!isLoopback(settings.host) && settings.staticToken === null) {
    throw new SettingRefused(
      `HEDDLE_HOST ${settings.host} is reachable from other machines: set HEDDLE_STATIC_TOKEN, or leave HEDDLE_HOST at 127.0.0.1`,
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
  if (settings.registryPort !== null) {
    throw new SettingRefused(
      'HEDDLE_REGISTRY_PORT is for a part that is not built yet (docs/architecture/00-overview.md): unset it',
    );
  }
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}
