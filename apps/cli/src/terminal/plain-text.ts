// Text from elsewhere may hold sequences that move the cursor, recolour or rename the terminal, or turn reading order.

/** CSI; OSC and the other strings up to their terminator; two-character escapes. In 7-bit and in 8-bit form. */
const ESCAPES = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]?',
    '(?:\\u001b[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0007\\u001b\\u009c]*(?:\\u0007|\\u001b\\\\|\\u009c)?',
    '\\u001b[ -/]*[0-~]?',
  ].join('|'),
  'gu',
);
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** Text without anything that a terminal obeys; tabs and line ends become spaces. */
export function plainText(text: string): string {
  return text
    .replace(ESCAPES, '')
    .replace(/[\t\n\r]+/g, ' ')
    .replace(CONTROLS, '');
}

/** The same with its lines kept, for text that is meant to have several. */
export function plainLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/).map(plainText);
}
