const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

export const ID_ALPHABET = LOWER + DIGITS;
export const SECRET_ALPHABET = LOWER.toUpperCase() + ID_ALPHABET;

/**
 * A text of an alphabet from random bytes. Bytes beyond the largest multiple of the alphabet's size are left out, so
 * that every character is equally likely. `draw` is asked again until the text is complete.
 */
export function drawText(alphabet: string, length: number, draw: (bytes: number) => Uint8Array): string {
  const fair = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of draw(length)) {
      if (byte < fair && text.length < length) text += alphabet[byte % alphabet.length]!;
    }
  }
  return text;
}
