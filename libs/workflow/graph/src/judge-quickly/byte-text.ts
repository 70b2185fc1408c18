/** A text as the bytes that stand between the quotes of its plain JSON form, with the hash that the cursor computes. */
export interface ByteText {
  readonly hash: number;
  readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();

export function byteText(text: string): ByteText {
  const bytes = encoder.encode(text);
  let hash = 0;
  for (let i = 0; i < bytes.length; i++) hash = (Math.imul(hash, 31) + bytes[i]!) | 0;
  return { hash, bytes };
}

/** Whether a range of a document holds just this text. */
export function holdsText(document: Uint8Array, start: number, stop: number, { bytes }: ByteText): boolean {
  const length = stop - start;
  if (length !== bytes.length) return false;
  for (let i = 0; i < length; i++) if (document[start + i] !== bytes[i]) return false;
  return true;
}

/** Whether two ranges of a document hold the same bytes. */
export function sameText(document: Uint8Array, start: number, stop: number, otherStart: number): boolean {
  for (let i = start, j = otherStart; i < stop; i++, j++) if (document[i] !== document[j]) return false;
  return true;
}
