/** A blob's public name: `blake3:` and 64 lower-case hex digits (decisions, Hash on input). */
const hashForm = /^blake3:[0-9a-f]{64}$/;
const expectedForm = /^blake3:[0-9a-fA-F]{64}$/;

/** True for the only spelling of a hash that lookups accept. */
export function isBlobHash(text: string): boolean {
  return text.length === 71 && hashForm.test(text);
}

/** Only `expected_hash` may use either letter case. */
export function isExpectedHash(text: string): boolean {
  return text.length === 71 && expectedForm.test(text);
}

export function blobHashOf(hexDigest: string): string {
  return `blake3:${hexDigest}`;
}

export function matchesExpectedHash(expected: string, actual: string): boolean {
  return expected.toLowerCase() === actual;
}
