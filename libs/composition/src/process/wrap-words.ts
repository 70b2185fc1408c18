/** Wraps a text at spaces; a word longer than a line stays whole, so that it can be copied. */
export function wrapWords(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const INDENT = '        ';

/** What a service says to people, each line with its name; a terminal does not break it within a word. */
export function sayLine(text: string, stream: { readonly isTTY?: boolean; readonly columns?: number }): string {
  const prefix = 'heddle: ';
  const columns = stream.isTTY === true ? Math.max(40, stream.columns ?? 80) - INDENT.length : Number.MAX_SAFE_INTEGER;
  return `${prefix}${wrapWords(text, columns).join(`\n${INDENT}`)}\n`;
}
