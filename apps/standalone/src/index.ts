export { SETTINGS } from './settings/settings-table.js';
export type { Setting } from './settings/setting-kinds.js';
