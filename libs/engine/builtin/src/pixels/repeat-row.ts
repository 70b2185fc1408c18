/** Rows that are all the same. */
export interface RepeatedRow {
  /** The row. */
  readonly from: Float32Array;
  readonly to: Float32Array;
  readonly firstRow: number;
  readonly endRow: number;
  readonly afterRow: (row: number) => void | Promise<void>;
}

export async function repeatRow({ from, to, firstRow, endRow, afterRow }: RepeatedRow): Promise<void> {
  for (let row = firstRow; row < endRow; row += 1) {
    to.set(from, row * from.length);
    const pause = afterRow(row);
    if (pause) await pause;
  }
}
