export { accountNameProblem } from './account-name.js';
export { limitProblem } from './account-limits.js';
export type { LimitName } from './account-limits.js';
export { formatApiKey, KEY_ID_LENGTH, keyIdOf, parseApiKey, SECRET_LENGTH } from './api-key.js';
export type { ParsedKey } from './api-key.js';
export { drawText, ID_ALPHABET, SECRET_ALPHABET } from './draw-text.js';
export { keyLifeProblem, MAX_KEY_LIFE_S, overlapProblem, rotatedKeyEnd } from './key-life.js';
export { keyNameProblem } from './key-name.js';
export { scopesProblem } from './scopes.js';
