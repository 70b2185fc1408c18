const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes as UTF-8 without a byte order mark; as Latin-1, which has a character for every byte, if they are not UTF-8. */
export function decodeText(bytes: Buffer): { text: string; utf8: boolean } {
  try {
    return { text: UTF8.decode(bytes), utf8: true };
  } catch {
    return { text: bytes.toString('latin1'), utf8: false };
  }
}
