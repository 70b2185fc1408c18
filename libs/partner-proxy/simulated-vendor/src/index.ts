export { FAULTS } from './faults.js';
export type { Fault } from './faults.js';
export { startSimulatedVendor } from './simulated-vendor.js';
export type { SimulatedVendor } from './simulated-vendor.js';
