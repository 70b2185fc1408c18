export { AdminGate } from './admin-gate.js';
export { AdminModule } from './admin.module.js';
export type { AdminPorts } from './admin.module.js';
