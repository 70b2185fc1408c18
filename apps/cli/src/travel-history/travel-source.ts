import type { JobAtPosition, Position } from '@heddle/jobs-history';
import type { TravelLog } from '@heddle/jobs-history/exports';
import type { CommandCall } from '../command-line/command.js';
import { codedFailure, EXIT, wrongUsage } from '../failure.js';
import type { LogSegments } from '../show-history/export-place.js';
import { Interrupted, longWork } from '../show-history/long-work.js';
import { fromOf, readingSource } from '../show-history/open-source.js';
import { withLogFiles } from '../show-history/snapshot-files.js';
import { counted } from '../terminal/quantities.js';
import type { Terminal } from '../terminal/terminal.js';
import { progressOn } from '../terminal/work-progress.js';

export async function readPosition(text: string | undefined, command: string): Promise<Position> {
  const { positionOf } = await import('@heddle/jobs-history');
  const position = text === undefined ? null : positionOf(text);
  if (position !== null) return position;
  throw wrongUsage(
    text === undefined ? `${command} needs a position` : `"${text}" is not a position`,
    'a position is a seq, e.g. 1200, or an instant with its zone, e.g. 2026-11-27T10:00:00Z',
  );
}

/**
 * Opens the log for `work`: an export, or a snapshot that is made for the question. Failures of positions and lines have
 * codes of their own, Ctrl-C ends with 130.
 */
export async function travel(
  call: CommandCall,
  work: (log: TravelLog, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const { ExportSource, HistoryEngine, NoSuchPositionError, TravelLog } = await import('@heddle/jobs-history/exports');
  const from = fromOf(call);
  const tell = progressOn(call.terminal);
  const onProgress = (progress: { readonly events: number; readonly total: number }): void =>
    tell({ phase: 'fold', ...progress });
  const inEngine = (segments: LogSegments, signal: AbortSignal): Promise<number> =>
    HistoryEngine.during(signal, (connection) =>
      work(new TravelLog(new ExportSource(from ?? '', connection, segments), onProgress), signal),
    ).finally(() => call.terminal.erase());
  try {
    return await longWork((signal) =>
      readingSource(() => withLogFiles(call, from, signal, (segments) => inEngine(segments, signal))),
    );
  } catch (error) {
    if (error instanceof Interrupted) return EXIT.interrupted;
    if (error instanceof NoSuchPositionError)
      throw codedFailure('no_such_position', error.message, EXIT.failed, 'heddle history verify prints the last seq');
    throw error;
  }
}

/** What was read and could not be used as the log has it. */
export class TravelDoubts {
  #unusable: string | null = null;
  #redacted = 0;

  note({ unusable, isRedacted }: JobAtPosition): void {
    this.#unusable ??= unusable;
    if (isRedacted) this.#redacted += 1;
  }

  /** Says what is known by envelopes alone, and fails behind what could be read. */
  tell(terminal: Terminal): void {
    if (this.#redacted > 0)
      terminal.say(
        `${counted(this.#redacted, 'job')} known by envelopes alone: payloads were purged or left out, what they said is null`,
      );
    if (this.#unusable === null) return;
    throw codedFailure(
      'unknown_event',
      `an event cannot be used, so its job is left out: ${this.#unusable}`,
      EXIT.failed,
      'heddle history verify names every event of this kind',
    );
  }
}
