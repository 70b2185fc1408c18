import type { NumberedEvent } from '@heddle/platform-event-log';

/** A place in the log: a number, or an instant by the database's clock. */
export type Position = { readonly seq: bigint } | { readonly instant: string };

const INSTANT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))$/;

/** Null if the text is neither a whole number nor an instant with its zone. */
export function positionOf(text: string): Position | null {
  if (/^\d{1,18}$/.test(text)) return { seq: BigInt(text) };
  if (!INSTANT.test(text) || Number.isNaN(Date.parse(text))) return null;
  return { instant: new Date(text).toISOString() };
}

/**
 * Decides, event by event in the order of the log, which belong to the log at a position. At an instant these are of
 * each job the events up to the first one recorded later: an instant is no position, as clocks go back.
 */
export class PositionFilter {
  readonly #later = new Set<string>();

  constructor(private readonly position: Position) {}

  admits({ seq, streamId, recordedAt }: NumberedEvent): boolean {
    const { position } = this;
    if ('seq' in position) return seq !== null && seq <= position.seq;
    if (this.#later.has(streamId)) return false;
    if (Date.parse(recordedAt) <= Date.parse(position.instant)) return true;
    this.#later.add(streamId);
    return false;
  }
}
