/** Writes bits into bytes, highest first. */
export class BitWriter {
  private bytes: Uint8Array;
  private length = 0;
  private held = 0;
  private heldBits = 0;

  constructor(expectedBytes: number) {
    this.bytes = new Uint8Array(Math.max(expectedBytes, 64));
  }

  /** Writes the lowest `count` bits of a number, at most 32. */
  write(value: number, count: number): void {
    let left = count;
    while (left > 0) {
      const take = Math.min(left, 8 - this.heldBits);
      this.held = (this.held << take) | ((value >>> (left - take)) & ((1 << take) - 1));
      this.heldBits += take;
      left -= take;
      if (this.heldBits === 8) this.push(this.held);
    }
  }

  /** Writes this many zeros and a one. */
  writeUnary(zeros: number): void {
    let left = zeros;
    for (; left >= 31; left -= 31) this.write(0, 31);
    this.write(1, left + 1);
  }

  /** Fills the current byte with zeros. */
  align(): void {
    if (this.heldBits > 0) this.write(0, 8 - this.heldBits);
  }

  finished(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private push(byte: number): void {
    if (this.length === this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes[this.length++] = byte;
    this.held = 0;
    this.heldBits = 0;
  }
}
