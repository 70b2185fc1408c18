/** Beyond this many edits it is another word. */
const MAX_EDITS = 4;
/** Longer names are compared by their beginning. */
const COMPARED = 64;
/** Recently requested names: repeated mistakes are answered from here. */
const MAX_REMEMBERED = 256;

/** Finds the fixed name with the fewest edits, ignoring letter case. */
export class NearestName {
  readonly #names: readonly { readonly name: string; readonly lower: string }[];
  readonly #found = new Map<string, string | null>();

  constructor(names: Iterable<string>) {
    this.#names = [...names].map((name) => ({ name, lower: name.slice(0, COMPARED).toLowerCase() }));
  }

  /** Null if none is near. */
  of(wanted: string): string | null {
    const own = wanted.slice(0, COMPARED).toLowerCase();
    const known = this.#found.get(own);
    if (known !== undefined) return known;
    const nearest = this.#search(own);
    if (this.#found.size >= MAX_REMEMBERED) this.#found.clear();
    this.#found.set(own, nearest);
    return nearest;
  }

  #search(own: string): string | null {
    let nearest: string | null = null;
    let fewest = Math.min(MAX_EDITS, Math.ceil(own.length / 2)) + 1;
    for (const { name, lower } of this.#names) {
      if (Math.abs(name.length - own.length) >= fewest) continue;
      const edits = editsBetween(own, lower, fewest);
      if (edits >= fewest) continue;
      nearest = name;
      fewest = edits;
    }
    return nearest;
  }
}

let row = new Uint8Array(COMPARED + 1);
let next = new Uint8Array(COMPARED + 1);

/**
 * Levenshtein distance of two texts of at most 64 characters, or `enough` once the distance is known to reach it. Only the
 * band of the table is computed that can hold a smaller distance: hostile graphs make thousands of comparisons.
 */
function editsBetween(left: string, right: string, enough: number): number {
  const [a, b] = withoutSharedEnds(left, right);
  const band = enough - 1;
  if (Math.abs(a.length - b.length) > band) return enough;
  for (let at = 0; at <= b.length; at++) row[at] = at;
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - band);
    const to = Math.min(b.length, i + band);
    next[from - 1] = from === 1 ? i : enough;
    let least = next[from - 1]!;
    for (let j = from; j <= to; j++) {
      const replaced = row[j - 1]! + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      const above = j === i + band ? enough : row[j]! + 1;
      const edits = Math.min(replaced, above, next[j - 1]! + 1);
      next[j] = edits;
      if (edits < least) least = edits;
    }
    if (least >= enough) return enough;
    [row, next] = [next, row];
  }
  return Math.min(row[b.length]!, enough);
}

/** Equal beginnings and ends do not change the distance. */
function withoutSharedEnds(a: string, b: string): [string, string] {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let end = 0;
  while (end < most - start && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}
