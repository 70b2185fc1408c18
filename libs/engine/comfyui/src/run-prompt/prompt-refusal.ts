import { at, isRecord, listAt, textAt } from '../calls/json-shape.js';
import type { EngineAnswer } from '../calls/engine-calls.js';
import { engineFailure } from './execution-failure.js';
import type { Failure } from './execution-failure.js';
import { withoutPaths } from './without-paths.js';

/**
 * Reasons by the engine's own error types (engine reference, section 3); an unknown type is a `validation_exception`.
 */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['required_input_missing', 'missing_input'],
  ['bad_linked_input', 'bad_link'],
  ['return_type_mismatch', 'type_mismatch'],
  ['invalid_input_type', 'invalid_value_type'],
  ['value_smaller_than_min', 'value_below_min'],
  ['value_bigger_than_max', 'value_above_max'],
  ['value_not_in_list', 'value_not_in_list'],
  ['custom_validation_failed', 'custom_validation_failed'],
  ['invalid_dynamic_input', 'invalid_dynamic_input'],
  ['dependency_cycle', 'dependency_cycle'],
]);
const MAX_PROBLEMS = 10;
const MAX_TEXT_LENGTH = 300;

/** One problem of one node in Heddle's terms. */
interface RefusedInput {
  readonly nodeId: string;
  readonly classType: string | null;
  readonly field: string;
  readonly reason: string;
  readonly text: string;
}

/** The engine's objections to nodes of a graph, by node id, then field. */
export function refusedInputs(nodeErrors: unknown): RefusedInput[] {
  if (!isRecord(nodeErrors)) return [];
  const found = Object.entries(nodeErrors).flatMap(([nodeId, entry]) =>
    listAt(entry, 'errors').map((error) => problemOf(nodeId, textAt(entry, 'class_type'), error)),
  );
  return found.sort((a, b) => compare(a.nodeId, b.nodeId) || compare(a.field, b.field));
}

/** The engine's refusal of a graph (400, or 200 with node errors) as the run's outcome. */
export function refusalOf(answer: EngineAnswer): Failure {
  const problems = refusedInputs(at(answer.json, 'node_errors'));
  const [first] = problems;
  if (first !== undefined) {
    const shown = problems.slice(0, MAX_PROBLEMS).map(describe).join('; ');
    const more = problems.length > MAX_PROBLEMS ? `; and ${problems.length - MAX_PROBLEMS} more` : '';
    return engineFailure(`the engine refused the graph: ${shown}${more}`, first.nodeId, first.classType);
  }
  const error = at(answer.json, 'error');
  const type = textAt(error, 'type');
  if (type === null) {
    const hint = answer.status === 413 ? ' (the graph is larger than the engine accepts)' : '';
    return engineFailure(`the engine answered the graph with ${answer.status}${hint} and without a reason`);
  }
  const node = at(error, 'extra_info');
  const message = [textAt(error, 'message'), textAt(error, 'details')].filter((text) => text !== null && text !== '');
  const text = short(message.join(': ') || type);
  return engineFailure(`the engine refused the graph: ${text}`, textAt(node, 'node_id'), textAt(node, 'class_type'));
}

function problemOf(nodeId: string, classType: string | null, error: unknown): RefusedInput {
  const info = at(error, 'extra_info');
  const input = textAt(info, 'input_name');
  const isLoop = input === 'loop boundary';
  const reason = REASONS.get(textAt(error, 'type') ?? '') ?? 'validation_exception';
  const text = [textAt(error, 'message'), textAt(error, 'details')].filter((part) => part !== null && part !== '');
  return {
    nodeId,
    classType,
    field: input === null || isLoop ? 'inputs' : input,
    reason: isLoop ? 'invalid_loop' : reason,
    text: short(text.join(': ')),
  };
}

function describe({ nodeId, classType, field, reason, text }: RefusedInput): string {
  return `node ${nodeId}${classType === null ? '' : ` (${classType})`}, ${field}: ${reason}${text === '' ? '' : `, ${text}`}`;
}

function short(text: string): string {
  const clean = withoutPaths(text);
  return clean.length > MAX_TEXT_LENGTH ? `${clean.slice(0, MAX_TEXT_LENGTH).toWellFormed()}…` : clean;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
