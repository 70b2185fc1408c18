import { PortTakenError } from '@heddle/composition';
import { AlreadyRunningError } from './already-running-error.js';
import { isUsage } from './command.js';

/** Errors that only a bug of ours throws. */
const DEFECTS = [TypeError, ReferenceError, RangeError, SyntaxError];

/** Lines for a person, one per thing to change. Only developers need the stack. */
export function linesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error)];
  if (DEFECTS.some((kind) => error instanceof kind)) return [error.stack ?? error.message];
  return exitCodeOf(error) === 2 ? error.message.split('\n') : [error.message];
}

/** 2: another command line or setting fixes it. */
export function exitCodeOf(error: unknown): number {
  return isUsage(error) || error instanceof PortTakenError || error instanceof AlreadyRunningError ? 2 : 1;
}
