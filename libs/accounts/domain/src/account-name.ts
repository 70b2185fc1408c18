const FORM = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** The problem of an account's name, or null (accounts, Command). */
export function accountNameProblem(name: unknown): string | null {
  if (typeof name === 'string' && FORM.test(name)) return null;
  return 'must be 1 to 63 characters of a-z, 0-9, ".", "_" and "-", and must begin with a letter or digit';
}
