export { SETTINGS } from './settings/settings-table.js';
export type { Setting } from './settings/setting-kinds.js';
export { SettingRefused } from './settings/setting-kinds.js';
export { readSettings } from './settings/settings.js';
export type { Settings } from './settings/settings.js';
export { startStandalone } from './standalone.js';
export type { RunningStandalone } from './standalone.js';
export { renderSettings } from './settings/setting-flags.js';
