import { progressBar } from './progress-bar.js';
import { durationText } from './quantities.js';
import type { Terminal } from './terminal.js';

const TELL_EVERY_MS = 200;
/** Where nothing can be redrawn: a log of an hour is a few hundred lines. */
const TELL_PLAIN_EVERY_MS = 10_000;
const BAR = 24;

interface WorkProgress {
  readonly phase: string;
  readonly events: bigint | number;
  /** Null: unknown. */
  readonly total: bigint | number | null;
  /** What is counted, if not events. */
  readonly unit?: string;
}

/** A line that is redrawn on a terminal, otherwise a plain one on standard error at intervals. */
export function progressOn(
  terminal: Pick<Terminal, 'live' | 'draw' | 'say'>,
  now: () => number = () => performance.now(),
): (progress: WorkProgress) => void {
  let [phase, began, toldAt] = ['', 0, terminal.live ? -Infinity : now()];
  return (progress) => {
    const at = now();
    if (progress.phase !== phase) [phase, began] = [progress.phase, at];
    // The first step of a phase may take minutes, as an index does.
    if (terminal.live && Number(progress.events) === 0) toldAt = -Infinity;
    if (at - toldAt < (terminal.live ? TELL_EVERY_MS : TELL_PLAIN_EVERY_MS)) return;
    toldAt = at;
    const line = lineOf(progress, at - began);
    if (!terminal.live) terminal.say(line);
    else if (progress.total === null) terminal.draw([line]);
    else terminal.draw([`${progressBar(Number(progress.events) / Number(progress.total), BAR)} ${line}`]);
  };
}

function lineOf({ phase, events, total, unit = 'events' }: WorkProgress, elapsedMs: number): string {
  const perMs = elapsedMs > 0 ? Number(events) / elapsedMs : 0;
  const rate = perMs > 0 ? ` ${Math.round(perMs * 1_000)}/s` : '';
  if (total === null) return `${phase}: ${events} ${unit}${rate}`;
  const left = perMs > 0 ? `, ${durationText((Number(total) - Number(events)) / perMs)} left` : '';
  return `${phase}: ${events} of ${total} ${unit}${rate}${left}`;
}
