/** The problem of a list of scopes, or null. `known`: the scopes that there are. */
export function scopesProblem(scopes: unknown, known: readonly string[]): string | null {
  const isList = Array.isArray(scopes) && scopes.every((scope) => known.includes(scope as string));
  return isList ? null : `must be a list of ${known.join(', ')}; an empty one means all`;
}
