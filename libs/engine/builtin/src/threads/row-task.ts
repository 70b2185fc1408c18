import { blendRows, type BlendedRows } from '../pixels/blend-rows.js';
import { blurRows, type BlurRows } from '../pixels/blur-rows.js';
import { repeatRow, type RepeatedRow } from '../pixels/repeat-row.js';
import { RESAMPLERS, type ResampleMethod } from '../pixels/resamplers.js';
import type { Resampling } from '../pixels/resampling.js';

/** A part of the rows of one picture to compute, as it travels to another thread. */
export type RowTask =
  | { readonly kind: 'resample'; readonly method: ResampleMethod; readonly work: Omit<Resampling, 'afterRow'> }
  | { readonly kind: 'blur'; readonly work: Omit<BlurRows, 'afterRow'> }
  | { readonly kind: 'blend'; readonly work: Omit<BlendedRows, 'afterRow'> }
  | { readonly kind: 'repeat'; readonly work: Omit<RepeatedRow, 'afterRow'> };

type AfterRow = (row: number) => void | Promise<void>;

export function runRows(task: RowTask, afterRow: AfterRow): Promise<void> {
  switch (task.kind) {
    case 'resample':
      return RESAMPLERS[task.method]({ ...task.work, afterRow });
    case 'blur':
      return blurRows({ ...task.work, afterRow });
    case 'blend':
      return blendRows({ ...task.work, afterRow });
    case 'repeat':
      return repeatRow({ ...task.work, afterRow });
  }
}

/** The same task for other rows. */
export function withRows<Task extends RowTask>(task: Task, firstRow: number, endRow: number): Task {
  return { ...task, work: { ...task.work, firstRow, endRow } };
}
