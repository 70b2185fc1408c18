import type { Node } from 'web-tree-sitter';

const MAX_PARTS = 200;
const ESCAPE = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{1,3}|\r?\n|.)/g;

/** The text of a string that is written out, also in parts with `+`; undefined for anything else. */
export function constantText(node: Node): string | undefined {
  const parts: string[] = [];
  const waiting = [node];
  for (let count = 0; waiting.length > 0; count += 1) {
    const next = waiting.pop()!;
    if (count > MAX_PARTS || next.namedChildCount > MAX_PARTS) return undefined;
    if (next.type === 'string') {
      const { text, whole } = stringParts(next);
      if (!whole) return undefined;
      parts.push(text);
    } else if (
      next.type === 'concatenated_string' ||
      next.type === 'parenthesized_expression' ||
      (next.type === 'binary_operator' && next.childForFieldName('operator')?.type === '+')
    ) {
      waiting.push(...next.namedChildren.reverse());
    } else {
      return undefined;
    }
  }
  return parts.join('');
}

/** The text of one string literal; `whole` is false if an f-string has holes, which are read as `{}`. */
export function stringParts(node: Node): { text: string; whole: boolean } {
  const raw = /^[a-z]*r/i.test(node.firstChild?.text ?? '');
  let whole = true;
  const text = node.namedChildren.map((part) => {
    if (part.type === 'interpolation') {
      whole = false;
      return '{}';
    }
    if (part.type !== 'string_content') return '';
    return raw ? part.text : unescaped(part.text);
  });
  return { text: text.join(''), whole };
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(ESCAPE, (escape) => {
    if (/^\\([xuU].|[0-7])/.test(escape)) {
      const octal = /^\\[0-7]/.test(escape);
      const code = Number.parseInt(escape.slice(octal ? 1 : 2), octal ? 8 : 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    }
    // A backslash at the end of a line joins it with the next one.
    return { '\n': '', '\r': '', n: '\n', t: '\t', r: '\r' }[escape[1] ?? ''] ?? escape.slice(1);
  });
}
