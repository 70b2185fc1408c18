export { AdminGate } from './admin-gate.js';
export { AdminModule } from './admin.module.js';
export type { AdminModuleOptions } from './admin.module.js';
