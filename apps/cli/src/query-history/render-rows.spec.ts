import type { PlainValue, QueryRows } from '@heddle/jobs-history/queries';
import { describe, expect, it } from 'vitest';
import { textWidth } from '../terminal/text-width.js';
import { writeRows } from './render-rows.js';

const found = (names: readonly string[], row: readonly PlainValue[]): QueryRows =>
  ({
    columns: names.map((name) => ({ name, kind: 'text' })),
    async *rows() {
      yield await Promise.resolve([row]);
    },
  }) as unknown as QueryRows;

async function table(rows: QueryRows, width?: number): Promise<string[]> {
  const lines: string[] = [];
  await writeRows(rows, 'table', (line) => void lines.push(line), width);
  return lines;
}

describe('a table of rows', () => {
  const rows = found(['id', 'message', 'note'], ['17', 'm'.repeat(100), 'n'.repeat(50)]);

  it.each([120, 80, 40, 12])('has lines of at most %i columns on such a terminal', async (width) => {
    const lines = await table(rows, width);
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
  });

  it('keeps narrow columns whole, and says where a cell was cut', async () => {
    const [, row] = await table(rows, 80);
    expect(row).toMatch(/^17 {2}m+… {2}n+…$/);
  });

  it('has whole cells where no person reads it', async () => {
    const [, row] = await table(rows);
    expect(row).toBe(`17  ${'m'.repeat(100)}  ${'n'.repeat(50)}`);
  });
});
