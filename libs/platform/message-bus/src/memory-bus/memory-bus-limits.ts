import type { DeadLetter } from '../bus/message-bus.js';

export interface MemoryBusLimits {
  readonly batchSize: number;
  readonly attempts: number;
  readonly backoffMs: number;
  readonly lanes: number;
  readonly capacity: number;
  readonly waitingPublishers: number;
  readonly onDeadLetter?: (letter: DeadLetter) => void;
}
