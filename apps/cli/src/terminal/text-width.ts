const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
const MARK = /\p{Mark}/u;
const COLOUR = /\u001b\[[0-9;]*m/gu;

/** Columns of a text on a terminal; colour codes take none. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text.replace(COLOUR, '')) width += MARK.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** The text in exactly `columns` columns: cut with an ellipsis, or padded. Takes text without colours. */
export function fit(text: string, columns: number): string {
  const width = textWidth(text);
  if (width <= columns) return text + ' '.repeat(columns - width);
  let taken = '';
  let used = 0;
  for (const character of text) {
    const next = textWidth(character);
    if (used + next > columns - 1) break;
    taken += character;
    used += next;
  }
  return `${taken}…`.padEnd(taken.length + 1 + Math.max(0, columns - used - 1));
}

/** The text in at most `columns` columns. */
export function cut(text: string, columns: number): string {
  return textWidth(text) <= columns ? text : fit(text, columns).trimEnd();
}

/** Wraps the text at spaces to at most `columns` columns; lines after the first are indented. */
export function wrapText(text: string, columns: number, indent: string): string[] {
  if (textWidth(text) <= columns) return [text];
  // Leading and inner spaces of the first line are kept.
  const lines: string[] = [];
  let line = '';
  for (const part of text.match(/\s*\S+/g) ?? []) {
    if (line !== '' && textWidth(line + part) > columns) {
      lines.push(line);
      line = indent + part.trimStart();
    } else line += part;
  }
  return [...lines, line];
}

/** A command line over several lines that a shell reads as one; never broken inside of quotes. */
export function wrapShell(command: string, columns: number, indent: string): string[] {
  if (textWidth(command) <= columns) return [command];
  const lines: string[] = [];
  let line = '';
  for (const part of command.match(/\s*(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []) {
    if (line !== '' && textWidth(line + part) > columns - 2) {
      lines.push(`${line} \\`);
      line = indent + part.trimStart();
    } else line += part;
  }
  return [...lines, line];
}
