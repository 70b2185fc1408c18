/** Lengths count code points. The database takes no text with the character zero. */
export function isText(value: unknown, max: number): value is string {
  return (
    typeof value === 'string' &&
    (value.length <= max || [...value].length <= max) &&
    !value.includes('\0') &&
    value.isWellFormed()
  );
}

/** What a text must be, as the end of a sentence. */
export function textRule(max: number): string {
  return `must be a string of at most ${max} characters`;
}

export function isTextList(value: unknown, items: number, max: number): value is readonly string[] {
  return Array.isArray(value) && value.length <= items && value.every((one) => isText(one, max));
}

export function textListRule(items: number, max: number): string {
  return `must be a list of at most ${items} strings of at most ${max} characters`;
}
