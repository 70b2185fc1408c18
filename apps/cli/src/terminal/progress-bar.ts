const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of exactly `columns` columns; `value` is clamped to 0..1. */
export function progressBar(value: number, columns: number): string {
  const share = Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
  const eighths = Math.round(share * columns * 8);
  const full = Math.floor(eighths / 8);
  const part = EIGHTHS[eighths % 8] ?? '';
  return '█'.repeat(full) + part + '░'.repeat(columns - full - (part === '' ? 0 : 1));
}

export function percentText(value: number): string {
  const share = Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
  return `${Math.floor(share * 100)} %`.padStart(5);
}
