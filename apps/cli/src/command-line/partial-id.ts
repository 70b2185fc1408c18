const FORM = /^[0-9a-f-]{4,35}$/;

/** Whether a word in lower case may be the beginning or the end of an id. */
export function isPartialId(word: string): boolean {
  return FORM.test(word);
}
