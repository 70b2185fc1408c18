import type { Fault } from './faults.js';
import type { TaskFacts } from './task-id.js';
import type { SimulatedState } from './task-life.js';

/** What a create call asks for, as far as it matters here. */
export interface CreateCall {
  readonly fault: Fault | null;
  readonly callbackUrl: string | null;
  /** The problem, in the vendor's words; null: none. */
  readonly problem: string | null;
  readonly echo: Readonly<Record<string, unknown>>;
}

/** One callback of a vendor. */
export interface SignedCallback {
  readonly url: URL;
  readonly body: string;
  readonly now: number;
}

/** The documented protocol of a vendor: paths, credential, shapes and signature. */
export interface VendorProtocol {
  readonly kind: TaskFacts['kind'];
  readonly createPath: string;
  /** The id of the task that a path reads; null: another path. */
  taskIn(path: string): string | null;
  /** The credential as the vendor's header carries it. */
  readonly credential: readonly [header: string, value: string];
  readCreate(body: Readonly<Record<string, unknown>>): CreateCall;
  created(id: string, call: CreateCall, facts: TaskFacts): object;
  status(id: string, state: SimulatedState): object;
  error(status: number, message: string): object;
  /** States that are called back. */
  readonly reported: readonly SimulatedState[];
  callbackBody(id: string, state: SimulatedState): object;
  sign(callback: SignedCallback): Readonly<Record<string, string>>;
}
