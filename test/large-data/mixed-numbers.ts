/** Pseudo-random 32-bit numbers, repeatable by seed */
export class MixedNumbers {
  readonly #keys: readonly number[];

  constructor(seed: number, count: number) {
    this.#keys = Array.from({ length: count }, (_, n) => mix(mix(seed) + Math.imul(n + 1, 0x9e3779b1)));
  }

  /** Number `which` of job `i`. Two mixing rounds, so that different seeds give different sets of numbers. */
  of(i: number, which: number): number {
    const key = this.#keys[which]!;
    return mix(mix(i ^ key) + key) >>> 0;
  }
}

function mix(number: number): number {
  let h = number | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** A UUIDv7 from an instant and three numbers. */
export function uuid7(at: number, a: number, b: number, c: number): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  const high = Math.floor(at / 2 ** 16);
  put32(bytes, 0, high);
  bytes[4] = at >>> 8;
  bytes[5] = at;
  bytes[6] = 0x70 | ((a >>> 8) & 0x0f);
  bytes[7] = a;
  put32(bytes, 8, b);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  put32(bytes, 12, c);
  return bytes;
}

function put32(bytes: Buffer, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

export function uuidText(uuid: Buffer): string {
  const hex = uuid.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export function uuidBytes(text: string): Buffer {
  return Buffer.from(text.replaceAll('-', ''), 'hex');
}
