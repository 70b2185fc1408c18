import type { FunctionValue, NameScope, PythonValue } from './value.js';
import type { WorkBudget } from './work-budget.js';

/** CallArguments of a call, evaluated. */
export interface CallArguments {
  readonly args: readonly PythonValue[];
  readonly named: ReadonlyMap<string, PythonValue>;
  /** `*args` or `**options` that are not known are among them. */
  readonly open: boolean;
}

/** What evaluation needs of the package. */
export interface CallSurroundings {
  readonly budget: WorkBudget;
  /** Number of the block that runs; what was made before it may be something else where the block does not run. */
  readonly block: () => number;
  readonly call: (target: FunctionValue, given: CallArguments) => PythonValue;
  /** A module that lies in the folder of a package module; `undefined` where there is none. */
  readonly submodule: (scope: NameScope, name: string) => PythonValue | undefined;
  /** `importlib.import_module(name, …)`. */
  readonly importModule: (from: NameScope, name: string) => PythonValue;
  /** Is called with what a call from outside of the archive returned. */
  readonly made: (value: PythonValue) => void;
}
