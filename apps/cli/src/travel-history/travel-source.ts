import type { Position } from '@heddle/jobs-history';
import type { CommandCall } from '../command-line/command.js';
import { codedFailure, EXIT, wrongUsage } from '../failure.js';
import { Interrupted, longWork } from '../show-history/long-work.js';
import { openSource, readingSource, type OpenSource } from '../show-history/open-source.js';

export async function readPosition(text: string | undefined, command: string): Promise<Position> {
  const { positionOf } = await import('@heddle/jobs-history');
  const position = text === undefined ? null : positionOf(text);
  if (position !== null) return position;
  throw wrongUsage(
    text === undefined ? `${command} needs a position` : `"${text}" is not a position`,
    'a position is a seq, e.g. 1200, or an instant with its zone, e.g. 2026-11-27T10:00:00Z',
  );
}

/** Opens the source for `work`; failures of positions and lines have codes of their own, Ctrl-C ends with 130. */
export async function travel(
  call: CommandCall,
  work: (open: OpenSource, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const { NoSuchPositionError } = await import('@heddle/jobs-history');
  const open = await openSource(call);
  try {
    return await longWork((signal) => readingSource(() => work(open, signal)));
  } catch (error) {
    if (error instanceof Interrupted) return EXIT.interrupted;
    if (error instanceof NoSuchPositionError)
      throw codedFailure('no_such_position', error.message, EXIT.failed, 'heddle history verify prints the last seq');
    throw error;
  } finally {
    await open.close();
  }
}
