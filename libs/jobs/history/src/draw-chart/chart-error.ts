/** Rows that cannot be drawn as asked; the message says what would be right. */
export class ChartError extends Error {
  override readonly name = 'ChartError';
}
