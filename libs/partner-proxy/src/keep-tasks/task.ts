import type { AccountId, TaskId } from '@heddle/contracts-messages';
import type { TaskState, TaskStep, VendorName } from '@heddle/partner-proxy-domain';
import type { Creation } from '../call-vendors/vendor.js';

/** The row of a task, without its payload. */
export interface ProxyTask {
  readonly taskId: TaskId;
  readonly accountId: AccountId;
  readonly vendor: VendorName;
  readonly step: TaskStep;
  readonly state: TaskState;
  /** Whole credits of a success. */
  readonly price: number;
  readonly errCode: string;
  readonly creations: readonly Creation[];
  readonly vendorTaskId: string | null;
  readonly callbackUrl: string | null;
  /** By the database clock. */
  readonly ageMs: number;
  /** Since the vendor was last asked; null: never. */
  readonly polledMs: number | null;
}

/** What a task is before anything is done for it. */
export interface NewTask {
  readonly taskId: TaskId;
  readonly accountId: AccountId;
  readonly vendor: VendorName;
  readonly price: number;
  readonly callbackToken: string;
  readonly callbackUrl: string | null;
  /** "": nothing is kept. */
  readonly payload: string;
  readonly key: string | null;
}
