export { AllowedTargets } from './allowed-targets.js';
export { pinnedCall } from './pinned-call.js';
export type { Network } from './resolve-target.js';
export { TARGET_FAULT_TEXTS, TargetRefusedError } from './target-fault.js';
export type { TargetFault } from './target-fault.js';
export { targetFault } from './target-url.js';
export type { TargetRules } from './target-url.js';
