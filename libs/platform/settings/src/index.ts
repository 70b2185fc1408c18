export { declareSettings, readDeclared, readEach } from './declare-settings.js';
export type { Declared, SettingValues } from './declare-settings.js';
export {
  ANY_COUNT,
  AT_LEAST_ONE,
  choice,
  flag,
  hosts,
  list,
  optionalDomain,
  optionalSeconds,
  MIN_DURATION_S,
  optionalText,
  optionalToken,
  optionalWholeNumber,
  positiveSeconds,
  seconds,
  text,
  tokenFault,
  wholeNumber,
} from './setting-kinds.js';
export { givenText, variablesOf } from './given-text.js';
export { SETTING_GROUPS, SettingRefused } from './setting.js';
export type { Declaration, Setting, SettingGroup, SettingRange } from './setting.js';
export { httpUrlFault, shownUrl } from './http-url.js';
export { openKeyFile, readKeyFile } from './key-file.js';
export type { FileKey } from './key-file.js';
export { isLoopback, LOOPBACK_HOSTS } from './loopback.js';
export { bracketed, loopbackOf } from './wildcard-address.js';
