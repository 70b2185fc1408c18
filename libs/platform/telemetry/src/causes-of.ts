const MAX_CAUSES = 10;

/** The failure and its causes, outermost first, with the errors of an `AggregateError`; a cycle ends the walk. */
export function causesOf(failure: unknown): readonly object[] {
  const causes: object[] = [];
  const open: unknown[] = [failure];
  while (open.length > 0 && causes.length < MAX_CAUSES) {
    const next = open.shift();
    if (typeof next !== 'object' || next === null || causes.includes(next)) continue;
    causes.push(next);
    const { cause, errors } = next as { readonly cause?: unknown; readonly errors?: unknown };
    open.push(cause, ...(Array.isArray(errors) ? (errors as unknown[]) : []));
  }
  return causes;
}
