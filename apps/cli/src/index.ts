export { heddle } from './heddle.js';
export type { Surroundings } from './heddle.js';
