import type { ClassSource } from './class-pages.sql.js';

/** A part of the classes of a version; both ends are included. */
export interface ClassPart {
  readonly versionId: string;
  readonly first: number;
  readonly last: number;
}

/**
 * Versions in the order of their nodes' ids, and where the classes of each begin in the list of all: a page costs the
 * same wherever it is.
 */
export class ClassList {
  readonly #sources: readonly ClassSource[];
  readonly #begins: readonly number[];
  readonly total: number;

  constructor(sources: readonly ClassSource[]) {
    this.#sources = [...sources].sort((one, other) => (one.node_id < other.node_id ? -1 : 1));
    let total = 0;
    this.#begins = this.#sources.map(({ classes }) => (total += classes) - classes);
    this.total = total;
  }

  /** The parts that hold the classes from a place on. */
  parts(offset: number, count: number): readonly ClassPart[] {
    const end = Math.min(offset + count, this.total);
    const parts: ClassPart[] = [];
    for (let at = this.#sourceAt(offset); at < this.#sources.length && this.#begins[at]! < end; at++) {
      const { version_id: versionId, classes } = this.#sources[at]!;
      const begin = this.#begins[at]!;
      const [first, last] = [Math.max(0, offset - begin), Math.min(classes, end - begin) - 1];
      if (first <= last) parts.push({ versionId, first, last });
    }
    return parts;
  }

  /** The last source that begins at or before a place. */
  #sourceAt(place: number): number {
    let [low, high] = [0, this.#begins.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#begins[middle]! <= place) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}
