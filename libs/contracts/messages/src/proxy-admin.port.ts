import type { Answer } from './answer.js';

export interface RedeliveredTask {
  readonly taskId: string;
  /** Dead deliveries that are due again; 0: the task has none. */
  readonly deliveries: number;
}

/** A delivery that is dead. */
export interface DeadDelivery {
  readonly deliveryId: string;
  readonly taskId: string;
  /** ISO 8601: when it died. */
  readonly at: string;
  /** In Heddle's words. */
  readonly problem: string;
}

/** A part of a list behind the delivery of this time and id. */
export interface DeadDeliveriesPart {
  readonly afterMs: number;
  readonly afterId: string;
  readonly limit: number;
}

/**
 * An operator's calls to the partner proxy, which the registry's admin calls hand on. One implementation: both contexts
 * run in one process, and this is an interface because contexts do not import each other.
 */
export interface ProxyAdminPort {
  /** Refuses with `not_found`. */
  redeliver(taskId: string): Promise<Answer<RedeliveredTask>>;
  /** Oldest first. */
  deadDeliveries(part: DeadDeliveriesPart): Promise<readonly DeadDelivery[]>;
}
export const PROXY_ADMIN_PORT = Symbol('ProxyAdminPort');
