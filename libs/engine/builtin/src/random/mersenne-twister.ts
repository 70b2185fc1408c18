const SIZE = 624;
const SHIFT = 397;

/** The generator that numpy's legacy seeds and torch's CPU generator share (MT19937), seeded by 32 bits. */
export class MersenneTwister {
  private readonly state = new Uint32Array(SIZE);
  private at = SIZE;

  constructor(seed: number) {
    this.state[0] = seed >>> 0;
    for (let i = 1; i < SIZE; i += 1) {
      const before = this.state[i - 1] as number;
      this.state[i] = Math.imul(1_812_433_253, before ^ (before >>> 30)) + i;
    }
  }

  /** The next 32 bits, unsigned. */
  next(): number {
    if (this.at >= SIZE) this.refill();
    let word = this.state[this.at] as number;
    this.at += 1;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    word ^= word >>> 18;
    return word >>> 0;
  }

  private refill(): void {
    const { state } = this;
    for (let i = 0; i < SIZE; i += 1) {
      const next = i + 1 < SIZE ? i + 1 : 0;
      const far = i < SIZE - SHIFT ? i + SHIFT : i + SHIFT - SIZE;
      const mixed = ((state[i] as number) & 0x80000000) | ((state[next] as number) & 0x7fffffff);
      state[i] = (state[far] as number) ^ (mixed >>> 1) ^ (-(mixed & 1) & 0x9908b0df);
    }
    this.at = 0;
  }
}
