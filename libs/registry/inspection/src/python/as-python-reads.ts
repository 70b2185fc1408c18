const NAMES = /(?:(?![\0-\x7f])\p{ID_Continue})+/gu;
const PLAIN_CHARACTER = /[A-Za-z0-9_]/;
/** No name that is plain in Python has one; after an emoji such as `ℹ` it is ordinary. */
const SELECTOR = /[\ufe00-\ufe0f]/;

/**
 * A Python text with the lines that Python sees: a carriage return ends one. NUL, which Python refuses and the parser takes
 * for the end of the text, is a blank. The text keeps its length.
 */
export function withPythonLines(text: string): string {
  return text.replace(/\r(?!\n)/g, '\n').replaceAll('\0', ' ');
}

/**
 * The same with the names that Python sees: letters in compatibility forms are the plain ones (PEP 3131), so a full-width
 * `exec` is `exec`. Strings change too; lines stay.
 */
export function withPythonNames(text: string): string {
  return withPythonLines(text).replace(NAMES, (letters) => {
    const plain = letters.normalize('NFKC');
    return PLAIN_CHARACTER.test(plain) && !SELECTOR.test(letters) ? plain : letters;
  });
}
