/** More edits than these make another word. */
const MOST_EDITS = 4;
/** Longer names are compared by their beginning. */
const COMPARED = 64;

/** The name that takes the fewest edits to reach, letter case aside; null where none is near. */
export function nearestName(wanted: string, names: Iterable<string>): string | null {
  const own = wanted.slice(0, COMPARED).toLowerCase();
  let nearest: string | null = null;
  let fewest = Math.min(MOST_EDITS, Math.ceil(own.length / 2)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - own.length) >= fewest) continue;
    const edits = editsBetween(own, name.slice(0, COMPARED).toLowerCase(), fewest);
    if (edits >= fewest) continue;
    nearest = name;
    fewest = edits;
  }
  return nearest;
}

/** The Levenshtein distance, or `enough` as soon as it is known to be that at least. */
function editsBetween(a: string, b: string, enough: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      const edits = Math.min(replaced, row[j]! + 1, next[j - 1]! + 1);
      next.push(edits);
      least = Math.min(least, edits);
    }
    if (least >= enough) return enough;
    row = next;
  }
  return row[b.length]!;
}
