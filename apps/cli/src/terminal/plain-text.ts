// Foreign text may contain sequences that move the cursor, change colours or the terminal's title, or reverse the
// reading order.

/** CSI; OSC and other strings up to their terminator; two-character escapes, in 7-bit and 8-bit form. */
const ESCAPES = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]?',
    '(?:\\u001b[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0007\\u001b\\u009c]*(?:\\u0007|\\u001b\\\\|\\u009c)?',
    '\\u001b[ -/]*[0-~]?',
  ].join('|'),
  'gu',
);
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** Text without terminal control sequences; tabs and line ends become spaces. */
export function plainText(text: string): string {
  return text
    .replace(ESCAPES, '')
    .replace(/[\t\n\r]+/g, ' ')
    .replace(CONTROLS, '');
}

/** Lines whose control characters are shown as escapes, such as `\\u001b[2J`: nothing is lost, and nothing acts. */
export function escapedLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/).map((line) => line.replace(CONTROLS, escaped));
}

/** JSON of the value, whose control and bidirectional characters are escapes: equal to a parser, harmless to a terminal. */
export function harmlessJson(value: unknown): string {
  return JSON.stringify(value).replace(CONTROLS, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
