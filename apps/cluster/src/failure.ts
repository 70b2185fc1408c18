import { PortTakenError } from '@heddle/composition';
import { isUsage } from './command.js';

/** What only a mistake in our own code throws. */
const DEFECTS = [TypeError, ReferenceError, RangeError, SyntaxError];

/** What a person is told: a line for each thing to change. A stack helps only whoever mends the launcher. */
export function linesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error)];
  if (DEFECTS.some((kind) => error instanceof kind)) return [error.stack ?? error.message];
  return exitCodeOf(error) === 2 ? error.message.split('\n') : [error.message];
}

/** 2: another command line or setting helps. */
export function exitCodeOf(error: unknown): number {
  return isUsage(error) || error instanceof PortTakenError ? 2 : 1;
}
