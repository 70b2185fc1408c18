export { heddle } from './heddle.js';
