import type { CodeRule } from '../code-rule.js';
import type { PythonSource } from '../python-source.js';
import { stringParts } from '../constant-text.js';

const MIN_LENGTH = 2000;
/** Prose has blanks; encoded data have none, or only ends of lines. */
const MIN_RUN = 60;

/** Long encoded data: base64, hexadecimal digits, escapes. */
export const longLiteral: CodeRule = {
  type: 'long-literal',
  message: 'Contains long encoded data. Put the data in a file of its own.',
  *find(source: PythonSource) {
    // Literals that follow each other are one string.
    let first = 0;
    let end = 0;
    let length = 0;
    for (const node of source.strings) {
      if (node.endIndex - node.startIndex < MIN_RUN) continue;
      const joined =
        node.startIndex >= end && /^[\s\\+]*$/.test(source.text.slice(end, Math.min(node.startIndex, end + 200)));
      if (!joined || node.startIndex - end > 200) {
        first = node.startIndex;
        length = 0;
      }
      const before = length;
      length += isEncoded(stringParts(node).text, node.endIndex - node.startIndex)
        ? node.endIndex - node.startIndex
        : 0;
      end = node.endIndex;
      if (before < MIN_LENGTH && length >= MIN_LENGTH) yield { from: first };
    }
  },
};

function isEncoded(text: string, bytes: number): boolean {
  // Escapes as `\x9c` make the literal longer than its text.
  if (text.length * 2 < bytes) return true;
  const words = text.split(/\s+/).filter((word) => word !== '');
  const longest = words.reduce((most, word) => Math.max(most, word.length), 0);
  return longest >= MIN_RUN && text.length / words.length >= MIN_RUN - 20;
}
