import type { RecordedProgress } from './job.events.js';

/** The newer snapshot; its value never decreases within a job (decisions, Progress). */
export function advanceProgress(
  shown: RecordedProgress | null,
  newer: RecordedProgress | null,
): RecordedProgress | null {
  if (newer === null) return shown;
  if (shown === null || newer.value >= shown.value) return newer;
  return { ...newer, value: shown.value };
}

/** A succeeded job is complete: its value is 1, whatever the last report was. */
export function completeProgress(progress: RecordedProgress | null): RecordedProgress | null {
  if (progress === null || progress.value === 1) return progress;
  return { ...progress, value: 1 };
}
