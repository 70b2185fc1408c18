import type { EngineOutcome } from '@heddle/engine-port';
import type { GraphNode } from '../graph/read-graph.js';
import type { RaisedError } from '../process/run-details.js';
import { shortText } from '../values/short-text.js';
import type { Value } from '../values/value.js';
import { NodeError, OutOfMemoryError } from './node-error.js';

/** A failed node in the form of the engine's `execution_error`. */
export function raisedError(
  error: unknown,
  failure: Extract<EngineOutcome, { kind: 'failed' }>,
  node: GraphNode,
  inputs: ReadonlyMap<string, readonly Value[]>,
  executed: readonly string[],
): RaisedError {
  const currentInputs = Object.create(null) as Record<string, readonly (string | number | boolean | null)[]>;
  for (const [name, values] of inputs) currentInputs[name] = values.map(formatted);
  const lines = failure.traceback?.match(/[^\n]*\n|[^\n]+/g) ?? [];
  return {
    nodeId: node.id,
    classType: node.classType,
    type: error instanceof OutOfMemoryError ? 'MemoryError' : error instanceof NodeError ? error.type : 'RuntimeError',
    message: failure.message.endsWith('\n') ? failure.message : `${failure.message}\n`,
    traceback: lines,
    currentInputs,
    executed: [...executed],
  };
}

function formatted(value: Value): string | number | boolean | null {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  // A longer integer would lose digits as a number.
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  return shortText(value);
}
