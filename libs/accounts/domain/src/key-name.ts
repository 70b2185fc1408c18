const MAX_CHARACTERS = 100;
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** The problem of the name that an operator gives a key, or null. */
export function keyNameProblem(name: unknown): string | null {
  if (name === null) return null;
  const isText = typeof name === 'string' && name.length > 0 && name.length <= MAX_CHARACTERS;
  if (isText && !CONTROL.test(name) && name.isWellFormed()) return null;
  return `must be a text of 1 to ${MAX_CHARACTERS} characters, none of them a control character`;
}
