/** Both are of the form that the log returns: `2026-01-01T00:00:00.000Z`. */
export function millisecondsBetween(from: string, to: string): number {
  return Date.parse(to) - Date.parse(from);
}
