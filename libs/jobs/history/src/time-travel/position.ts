/** A place in the log: a number, or an instant by the database's clock. */
export type Position = { readonly seq: bigint } | { readonly instant: string };

const INSTANT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))$/;

/** The largest number that the database takes: no log is as long. */
const MAX_SEQ = 2n ** 63n - 1n;

/** Null if the text is neither a whole number nor an instant with its zone. */
export function positionOf(text: string): Position | null {
  if (/^\d{1,100}$/.test(text)) return { seq: BigInt(text) < MAX_SEQ ? BigInt(text) : MAX_SEQ };
  if (!INSTANT.test(text) || Number.isNaN(Date.parse(text))) return null;
  return { instant: new Date(text).toISOString() };
}
