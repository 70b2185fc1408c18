/** Colours that share a place in the palette, unless they are parted further. */
export interface Box {
  readonly members: Uint32Array;
  /** Pixels of these colours. */
  readonly count: number;
  parts: readonly [Box, Box] | null;
}

/**
 * A binary heap with the box of most pixels on top. Which of two equal boxes comes first is decided by the movements
 * inside, which therefore are those of Pillow's: a removed top is replaced from the end, sinking while a child is at
 * least as large.
 */
export class BoxHeap {
  /** The heap starts at 1. */
  private readonly boxes: Box[] = [{ members: new Uint32Array(0), count: 0, parts: null }];

  add(box: Box): void {
    let at = this.boxes.length;
    this.boxes.push(box);
    for (let above = at >> 1; at > 1 && box.count > this.count(above); above = at >> 1) {
      this.boxes[at] = this.boxes[above] as Box;
      at = above;
    }
    this.boxes[at] = box;
  }

  remove(): Box | null {
    const last = this.boxes.length - 1;
    if (last === 0) return null;
    const top = this.boxes[1] as Box;
    const moved = this.boxes.pop() as Box;
    if (last === 1) return top;
    let at = 1;
    while (at * 2 < last) {
      let child = at * 2;
      if (child + 1 < last && this.count(child) < this.count(child + 1)) child += 1;
      if (moved.count > this.count(child)) break;
      this.boxes[at] = this.boxes[child] as Box;
      at = child;
    }
    this.boxes[at] = moved;
    return top;
  }

  private count(at: number): number {
    return (this.boxes[at] as Box).count;
  }
}
