import type { JobsSettings } from './settings.js';

/** Work that this service repeats for as long as it runs. No suite: each task does something else. */
export interface BackgroundTask {
  /** Logged with the error of a failed round. */
  readonly failure: string;
  /** True: rounds run only while the database's clock is trusted (DeadlineClock). */
  readonly needsClock: boolean;
  intervalMs(settings: JobsSettings): number;
  /** One round. Returns true if there may be more to do now. A clock past `trustedUntilMs` must not end anything. */
  run(trustedUntilMs: number): Promise<boolean>;
}
