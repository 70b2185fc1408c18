/** Reads bits, highest first. Throws `RangeError` beyond the end. */
export class BitReader {
  private bit = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private at: number,
  ) {}

  /** Position of the next byte, if aligned */
  get position(): number {
    return this.at;
  }

  /** At most 32 bits as an unsigned number. */
  read(count: number): number {
    let value = 0;
    for (let left = count; left > 0;) {
      if (this.at >= this.bytes.length) throw new RangeError('the file ends too early');
      const take = Math.min(left, 8 - this.bit);
      const byte = this.bytes[this.at] as number;
      value = value * 2 ** take + ((byte >> (8 - this.bit - take)) & ((1 << take) - 1));
      this.bit += take;
      left -= take;
      if (this.bit === 8) {
        this.bit = 0;
        this.at += 1;
      }
    }
    return value;
  }

  readSigned(count: number): number {
    const value = this.read(count);
    return count > 0 && value >= 2 ** (count - 1) ? value - 2 ** count : value;
  }

  /** Counts the zeros before the next one bit. */
  readUnary(): number {
    let zeros = 0;
    while (this.read(1) === 0) zeros += 1;
    return zeros;
  }

  align(): void {
    if (this.bit === 0) return;
    this.bit = 0;
    this.at += 1;
  }
}
