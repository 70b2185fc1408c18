/** The time of a story's events: second by second from 2026-01-01T00:00:00Z. */
export function secondAt(second: number): string {
  return new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
}
