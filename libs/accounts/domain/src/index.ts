export { accountNameProblem } from './account-name.js';
export { limitProblem } from './account-limits.js';
export type { LimitName } from './account-limits.js';
export { keyLifeProblem, overlapProblem } from './key-life.js';
export { keyNameProblem } from './key-name.js';
export { scopesProblem } from './scopes.js';
