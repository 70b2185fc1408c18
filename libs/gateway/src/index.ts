export { GatewayModule } from './gateway.module.js';
export { GatewaySettings } from './settings.js';
export { REPEATABLE, RequestGate, STREAMED_BODIES } from './request-gate.js';
export { StreamSlots } from './stream-job-events/stream-slots.js';
export { GATEWAY_METRICS } from './metrics.js';
export { RefusedDemand } from './submit-job/refused-demand.js';
