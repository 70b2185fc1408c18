import { BoxHeap, type Box } from './box-heap.js';

/** More colours than this are counted with fewer bits each. */
const MAX_COLOURS = 65_536;
/** What a step of red, green and blue counts when the longest side of a box is sought. */
const WEIGHT = [77, 150, 29] as const;

/** Colours of a palette, three bytes each. */
export type Palette = Uint8Array;

/**
 * The palette that Pillow's median cut finds for interleaved RGB bytes: the box with most pixels is split again and
 * again along its longest side, at the median; each box that is left gives its mean colour.
 */
export function medianCut(rgb: Uint8Array, colours: number): Palette {
  const { counts, shift } = countColours(rgb);
  const keys = Uint32Array.from(counts.keys());
  const root: Box = { members: keys, count: rgb.length / 3, parts: null };
  const heap = new BoxHeap();
  heap.add(root);
  for (let left = colours - 1; left > 0; left -= 1) {
    let box = heap.remove();
    while (box !== null && box.members.length === 1) box = heap.remove();
    if (box === null) break;
    box.parts = split(box, counts);
    for (const part of box.parts) heap.add(part);
  }
  return meanColours(rgb, leavesOf(root), shift);
}

/** How often each colour is there, by its number (8 bits a channel) shifted so that there are not too many. */
function countColours(rgb: Uint8Array): { counts: Map<number, number>; shift: number } {
  for (let shift = 0; ; shift += 1) {
    const counts = new Map<number, number>();
    for (let at = 0; at < rgb.length && counts.size <= MAX_COLOURS; at += 3) {
      const key = colourKey(rgb, at, shift);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    if (counts.size <= MAX_COLOURS) return { counts, shift };
  }
}

function colourKey(rgb: Uint8Array, at: number, shift: number): number {
  const [red, green, blue] = [rgb[at] as number, rgb[at + 1] as number, rgb[at + 2] as number];
  return ((red >> shift) << 16) | ((green >> shift) << 8) | (blue >> shift);
}

function split(box: Box, counts: ReadonlyMap<number, number>): [Box, Box] {
  const offset = longestSide(box.members);
  const value = (key: number): number => (key >> offset) & 0xff;
  // Highest first; all of one value stay together, so that their order does not matter.
  const sorted = box.members.slice().sort((a, b) => value(b) - value(a));
  let [taken, end] = [0, 0];
  while (end < sorted.length && taken * 2 <= box.count) {
    taken += counts.get(sorted[end] as number) ?? 0;
    end += 1;
  }
  const edge = value(sorted[end - 1] as number);
  while (end < sorted.length && value(sorted[end] as number) === edge) end += 1;
  if (end === sorted.length) {
    // The median is the lowest value: that one alone goes to the other side.
    const lowest = value(sorted[end - 1] as number);
    while (end > 0 && value(sorted[end - 1] as number) === lowest) end -= 1;
  }
  const parts = [sorted.subarray(0, end), sorted.subarray(end)] as const;
  const [high, low] = parts.map((members) => {
    const count = members.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0);
    return { members, count, parts: null } satisfies Box;
  });
  return [high as Box, low as Box];
}

/** Bit offset of the channel whose range, weighted, is largest. */
function longestSide(members: Uint32Array): number {
  let [best, offset] = [-1, 16];
  WEIGHT.forEach((weight, channel) => {
    const shift = 16 - channel * 8;
    let [low, high] = [255, 0];
    for (const key of members) {
      const value = (key >> shift) & 0xff;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if ((high - low) * weight <= best) return;
    best = (high - low) * weight;
    offset = shift;
  });
  return offset;
}

function leavesOf(root: Box): readonly Box[] {
  const leaves: Box[] = [];
  const waiting = [root];
  for (let box = waiting.pop(); box; box = waiting.pop()) {
    if (box.parts === null) leaves.push(box);
    else waiting.push(box.parts[1], box.parts[0]);
  }
  return leaves.filter((box) => box.members.length > 0);
}

function meanColours(rgb: Uint8Array, boxes: readonly Box[], shift: number): Palette {
  const boxOf = new Map<number, number>();
  boxes.forEach((box, index) => box.members.forEach((key) => boxOf.set(key, index)));
  const sums = new Float64Array(boxes.length * 3);
  const counts = new Float64Array(boxes.length);
  for (let at = 0; at < rgb.length; at += 3) {
    const box = boxOf.get(colourKey(rgb, at, shift)) as number;
    counts[box] = (counts[box] as number) + 1;
    for (let c = 0; c < 3; c += 1) sums[box * 3 + c] = (sums[box * 3 + c] as number) + (rgb[at + c] as number);
  }
  return Uint8Array.from(sums, (sum, i) => Math.trunc(0.5 + sum / (counts[Math.floor(i / 3)] as number)));
}
