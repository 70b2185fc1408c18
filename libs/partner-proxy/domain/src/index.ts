export { DEFAULT_PRICES, upscalePrice, videoPrice } from './prices.js';
export type { ProxyPrices, VideoRate } from './prices.js';
export { chargedFor, isEnd, movesOn, TASK_STATES } from './task.js';
export type { TaskState, TaskStep, VendorName } from './task.js';
