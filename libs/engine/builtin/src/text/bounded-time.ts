import { createContext, Script } from 'node:vm';
import { NodeError } from '../execution/node-error.js';

/** How long one search with a regular expression may take, in milliseconds. */
const REGEX_LIMIT_MS = 5000;

const context = createContext({ work: () => undefined });
const script = new Script('work()');

/**
 * Runs a search that may go back and forth for ever: the runtime breaks it off after `limitMs` and the node fails. (A
 * canceled run does not wait for that: its process is ended.)
 */
export function withinTime<Result>(work: () => Result, limitMs = REGEX_LIMIT_MS): Result {
  let outcome: { result: Result } | { error: unknown } | null = null;
  context['work'] = (): void => {
    // An error of this side's own making must not cross as one of the other context.
    try {
      outcome = { result: work() };
    } catch (error) {
      outcome = { error };
    }
  };
  try {
    script.runInContext(context, { timeout: limitMs });
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new NodeError(
      'TimeoutError',
      `the regular expression took longer than ${limitMs / 1000} s: it goes back and forth too often, make its repetitions exclude each other`,
    );
  }
  return finished(outcome);
}

function finished<Result>(outcome: { result: Result } | { error: unknown } | null): Result {
  if (outcome === null) throw new NodeError('RuntimeError', 'the search ended without a result');
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}
