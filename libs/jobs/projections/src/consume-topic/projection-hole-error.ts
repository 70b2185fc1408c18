/** Events that no message brought. `from` and `to` are their first and last seq. */
export interface Hole {
  readonly from: number;
  readonly to: number;
}

/** The consumer refuses to go further beyond a hole: what it folded there would look like a complete answer. */
export class ProjectionHoleError extends Error {
  override readonly name = 'ProjectionHoleError';

  constructor(readonly hole: Hole) {
    super(
      `job events ${hole.from} to ${hole.to} are missing, and later ones wait. Publish them again (heddle history replay ` +
        `--from-seq ${hole.from} --to-seq ${hole.to}), or catch up from an export that reaches seq ${hole.to} or more`,
    );
  }
}

/** The topic or the export is of another log than the one that was folded: a database was restored. */
export class OtherLogError extends Error {
  override readonly name = 'OtherLogError';

  constructor(seq: number, folded: string, found: string) {
    super(
      `event ${seq} of the log is ${found}, and the projection has folded ${folded} there: a database was restored. ` +
        'Empty the tables of the projection and build it again',
    );
  }
}
