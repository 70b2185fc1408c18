import type { EngineOutcome } from '@heddle/engine-port';
import { textAt, textsAt } from '../calls/json-shape.js';
import { withoutPaths } from './without-paths.js';

export type Failure = Extract<EngineOutcome, { kind: 'failed' }>;

const MEMORY_TYPE = /(?:^|\.)(?:OutOfMemoryError|MemoryError|_ArrayMemoryError|ArrayMemoryError)$/;
const MEMORY_TEXT =
  /out of memory|not enough memory|can't allocate memory|cannot allocate memory|failed to allocate|Unable to allocate/i;
const MAX_MESSAGE_LENGTH = 16 * 1024;
const MAX_TRACEBACK_LENGTH = 64 * 1024;

/** An `execution_error` of the engine as an outcome. Node inputs are left out: they may contain credentials. */
export function failureOfError(error: unknown): Failure {
  const type = textAt(error, 'exception_type') ?? '';
  const text = textAt(error, 'exception_message') ?? 'the engine gave no message\n';
  const outOfMemory = MEMORY_TYPE.test(type) || (/RuntimeError$|^$/.test(type) && MEMORY_TEXT.test(text));
  const message = withoutPaths(text.slice(0, MAX_MESSAGE_LENGTH));
  const lines = textsAt(error, 'traceback').join('').slice(-MAX_TRACEBACK_LENGTH);
  return {
    kind: 'failed',
    code: outOfMemory ? 'out_of_memory' : 'node_execution_error',
    message,
    nodeId: textAt(error, 'node_id'),
    classType: textAt(error, 'node_type'),
    traceback: lines === '' && type === '' ? null : `${withoutPaths(lines)}${type}: ${message}`,
  };
}

/** A failure of the engine as a whole, or of its input. */
export function engineFailure(message: string, nodeId: string | null = null, classType: string | null = null): Failure {
  return { kind: 'failed', code: 'engine_error', message, nodeId, classType, traceback: null };
}

/** The failure with every secret in its texts replaced; a node may have put one there. */
export function withoutSecrets(failure: Failure, secrets: readonly string[]): Failure {
  const clean = (text: string): string =>
    secrets.reduce((left, secret) => (secret === '' ? left : left.replaceAll(secret, '***')), text);
  const traceback = failure.traceback === null ? null : clean(failure.traceback);
  return { ...failure, message: clean(failure.message), traceback };
}
