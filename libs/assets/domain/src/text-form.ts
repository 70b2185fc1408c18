/** UTF-8 length of a well-formed text. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const symbol of text) {
    const point = symbol.codePointAt(0)!;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** C0, DEL and C1 are not allowed in names. */
export function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || (unit >= 0x7f && unit <= 0x9f)) return true;
  }
  return false;
}

/** False if a lone surrogate makes the text impossible to encode in UTF-8. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
