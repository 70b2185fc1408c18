import type { FunctionValue, Scope, Value } from './value.js';
import type { WorkBudget } from './work-budget.js';

/** Arguments of a call, evaluated. */
export interface Arguments {
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  /** `*args` or `**options` that are not known are among them. */
  readonly open: boolean;
}

/** What evaluation needs of the package. */
export interface Surroundings {
  readonly budget: WorkBudget;
  /** Number of the block that runs; what was made before it may be something else where the block does not run. */
  readonly block: () => number;
  readonly call: (target: FunctionValue, given: Arguments) => Value;
  /** A module that lies in the folder of a package module; `undefined` where there is none. */
  readonly submodule: (scope: Scope, name: string) => Value | undefined;
  /** `importlib.import_module(name, …)`. */
  readonly importModule: (from: Scope, name: string) => Value;
  /** Is called with what a call from outside of the archive returned. */
  readonly made: (value: Value) => void;
}
