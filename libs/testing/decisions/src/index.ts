export { given } from './given.js';
export type { Outcome, Past } from './given.js';
export { Story } from './story.js';
export { secondAt } from './second-at.js';
