import type { EngineOutcome } from '@heddle/engine-port';
import { GraphError, type GraphNode } from '../graph/read-graph.js';
import { NodeError, OUT_OF_MEMORY, OutOfMemoryError } from './node-error.js';

type Failure = Extract<EngineOutcome, { kind: 'failed' }>;

/** The failure of a run; `node`: the running node, `null` before the first. */
export function failureOf(error: unknown, node: GraphNode | null): Failure {
  const place = { nodeId: node?.id ?? null, classType: node?.classType ?? null };
  if (error instanceof OutOfMemoryError || isAllocationFailure(error)) {
    return {
      kind: 'failed',
      code: 'out_of_memory',
      message: OUT_OF_MEMORY,
      ...place,
      traceback: null,
    };
  }
  if (error instanceof GraphError) {
    return {
      kind: 'failed',
      code: 'engine_error',
      message: error.message,
      nodeId: error.nodeId ?? place.nodeId,
      classType: error.classType ?? place.classType,
      traceback: null,
    };
  }
  const type = error instanceof NodeError ? error.type : 'RuntimeError';
  const text = withoutPaths(error instanceof Error ? error.message : 'unknown failure');
  return {
    kind: 'failed',
    code: node ? 'node_execution_error' : 'engine_error',
    // Like the engine's exception_message, the text ends with a line break.
    message: `${text}\n`,
    ...place,
    traceback: node ? `in node ${node.id}, ${node.classType}\n${type}: ${text}\n` : null,
  };
}

function isAllocationFailure(error: unknown): boolean {
  return (
    error instanceof RangeError && /allocation failed|array length|array buffer length|too large/i.test(error.message)
  );
}

/** Removes paths of this machine from a runtime message. */
function withoutPaths(text: string): string {
  return text.replace(/(?:file:\/\/)?(?:\/[\w.@+-]+){2,}/g, (path) => path.slice(path.lastIndexOf('/') + 1));
}
