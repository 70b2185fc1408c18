export { alreadySo, append, reject } from './decision.js';
export type { Accepted, Decision, Rejected } from './decision.js';
