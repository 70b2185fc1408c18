/** What Python's `str.strip()` takes for white space. */
const SPACE = /[\s\x1c-\x1f\x85]/u;

/** Python's `str.strip()`; in linear time, whatever stands in the middle. */
export function pythonStrip(text: string, left = true, right = true): string {
  let [start, end] = [0, text.length];
  while (left && start < end && isSpace(text[start] as string)) start += 1;
  while (right && end > start && isSpace(text[end - 1] as string)) end -= 1;
  return text.slice(start, end);
}

function isSpace(char: string): boolean {
  return char !== '\ufeff' && SPACE.test(char);
}
