import type { DeliveryOptions } from '../bus/message-bus.js';

export interface MemoryBusLimits extends DeliveryOptions {
  readonly batchSize: number;
  readonly attempts: number;
  readonly backoffMs: number;
  readonly lanes: number;
  readonly capacity: number;
  readonly waitingPublishers: number;
}
