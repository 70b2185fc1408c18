import { blurRows, type BlurRows } from '../pixels/blur-rows.js';
import { RESAMPLERS, type ResampleMethod } from '../pixels/resamplers.js';
import type { Resampling } from '../pixels/resampling.js';

/** A part of the rows of one picture to compute, as it travels to another thread. */
export type RowTask =
  | { readonly kind: 'resample'; readonly method: ResampleMethod; readonly work: Omit<Resampling, 'afterRow'> }
  | { readonly kind: 'blur'; readonly work: Omit<BlurRows, 'afterRow'> };

type AfterRow = (row: number) => void | Promise<void>;

export function runRows(task: RowTask, afterRow: AfterRow): Promise<void> {
  if (task.kind === 'blur') return blurRows({ ...task.work, afterRow });
  return RESAMPLERS[task.method]({ ...task.work, afterRow });
}

/** The same task for other rows. */
export function withRows(task: RowTask, firstRow: number, endRow: number): RowTask {
  if (task.kind === 'blur') return { ...task, work: { ...task.work, firstRow, endRow } };
  return { ...task, work: { ...task.work, firstRow, endRow } };
}
