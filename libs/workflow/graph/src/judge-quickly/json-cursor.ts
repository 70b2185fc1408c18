/** Powers of ten that a double holds exactly: dividing by them rounds as reading the decimal text does. */
const POWERS = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);
/** Digits whose number a double holds exactly, whatever they are. */
const EXACT_DIGITS = 15;

/**
 * Reads JSON tokens from bytes without building values. Every method that answers false or -1 means "not of the plain form":
 * the document may be malformed or merely unusual, and someone else must look at it.
 */
export class JsonCursor {
  at = 0;
  /** The last string: the bytes between its quotes, and their hash. */
  start = 0;
  stop = 0;
  hash = 0;
  /** The last number; whole where its text has no fraction. */
  number = 0;
  whole = true;
  /** All the bits of all the bytes in strings. */
  private bits = 0;

  constructor(readonly bytes: Uint8Array) {}

  /** Whether no string so far holds a byte beyond ASCII; elsewhere such a byte is never taken. */
  get isAscii(): boolean {
    return this.bits < 0x80;
  }

  /** Skips white space; the next byte, or -1 at the end or at a byte that may not stand there. */
  next(): number {
    const { bytes } = this;
    const end = bytes.length;
    let i = this.at;
    while (i < end) {
      const c = bytes[i]!;
      if (c > 0x20) {
        this.at = i;
        return c;
      }
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return -1;
      i++;
    }
    this.at = i;
    return -1;
  }

  /** Takes a byte after white space. */
  take(wanted: number): boolean {
    if (this.next() !== wanted) return false;
    this.at++;
    return true;
  }

  /** Reads a string without escapes. */
  plainString(): boolean {
    if (this.next() !== 0x22) return false;
    const { bytes } = this;
    const end = bytes.length;
    const start = this.at + 1;
    let i = start;
    let hash = 0;
    let bits = 0;
    while (i < end) {
      const c = bytes[i]!;
      if (c === 0x22) {
        this.start = start;
        this.stop = i;
        this.hash = hash;
        this.bits |= bits;
        this.at = i + 1;
        return true;
      }
      if (c === 0x5c || c < 0x20) return false;
      hash = (Math.imul(hash, 31) + c) | 0;
      bits |= c;
      i++;
    }
    return false;
  }

  /** Reads a key and its colon. */
  key(): boolean {
    return this.plainString() && this.take(0x3a);
  }

  /** Reads a string that may have escapes; its bytes are not compared with anything. */
  anyString(): boolean {
    if (this.next() !== 0x22) return false;
    const { bytes } = this;
    const end = bytes.length;
    const start = this.at + 1;
    let i = start;
    let bits = 0;
    while (i < end) {
      const c = bytes[i]!;
      if (c === 0x22) {
        this.start = start;
        this.stop = i;
        this.bits |= bits;
        this.at = i + 1;
        return true;
      }
      if (c < 0x20) return false;
      if (c === 0x5c) {
        i = afterEscape(bytes, i + 1);
        if (i < 0) return false;
      } else {
        bits |= c;
        i++;
      }
    }
    return false;
  }

  /** Reads a number that a double holds exactly, or rounds once: no exponent, at most 15 digits. */
  plainNumber(): boolean {
    const { bytes } = this;
    let i = this.at;
    const negative = bytes[i] === 0x2d;
    if (negative) i++;
    const start = i;
    let value = 0;
    let c = i < bytes.length ? bytes[i]! : 0;
    while (c >= 0x30 && c <= 0x39) {
      value = value * 10 + (c - 0x30);
      c = ++i < bytes.length ? bytes[i]! : 0;
    }
    let digits = i - start;
    if (digits === 0 || (digits > 1 && bytes[start] === 0x30)) return false;
    this.whole = c !== 0x2e;
    if (c === 0x2e) {
      const fraction = ++i;
      c = i < bytes.length ? bytes[i]! : 0;
      while (c >= 0x30 && c <= 0x39) {
        value = value * 10 + (c - 0x30);
        c = ++i < bytes.length ? bytes[i]! : 0;
      }
      if (i === fraction) return false;
      digits += i - fraction;
      if (digits > EXACT_DIGITS) return false;
      value /= POWERS[i - fraction]!;
    }
    if (c === 0x65 || c === 0x45 || value > Number.MAX_SAFE_INTEGER) return false;
    this.number = negative ? -value : value;
    this.at = i;
    return true;
  }

  /** Takes a word such as `true`. */
  word(text: string): boolean {
    for (let i = 0; i < text.length; i++) if (this.bytes[this.at + i] !== text.charCodeAt(i)) return false;
    this.at += text.length;
    return true;
  }
}

/** The offset after the escape whose letter stands at `at`; -1 where it is none. */
function afterEscape(bytes: Uint8Array, at: number): number {
  const letter = bytes[at];
  if (letter === 0x75) {
    for (let i = at + 1; i < at + 5; i++) if (!isHexDigit(bytes[i])) return -1;
    return at + 5;
  }
  return letter !== undefined && PLAIN_ESCAPES.has(letter) ? at + 1 : -1;
}

/** `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`. */
const PLAIN_ESCAPES: ReadonlySet<number> = new Set([0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74]);

function isHexDigit(c: number | undefined): boolean {
  if (c === undefined) return false;
  return (c >= 0x30 && c <= 0x39) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66);
}
