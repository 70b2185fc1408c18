import { fieldText } from '../admin/read-parts.js';
import type { JsonRecord } from '../api/wire.js';
import { plainText } from '../terminal/plain-text.js';
import { renderTable } from '../terminal/table.js';
import type { Column } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';

/** Fields of an answer for a person, one a line; empty ones are left out. */
export function printFacts(title: string, record: JsonRecord, fields: readonly string[], terminal: Terminal): void {
  terminal.print(plainText(title));
  const columns = Math.max(...fields.map((field) => field.length)) + 2;
  for (const field of fields) {
    const value = record[field];
    const text = Array.isArray(value) ? value.map(String).join(', ') : fieldText(record, field);
    if (text !== '' && text !== '{}') terminal.print(`  ${field.padEnd(columns)}${plainText(text)}`);
  }
}

export interface FieldColumn extends Column {
  readonly field: string;
}

/** Objects as JSON lines, or as a table for a person. */
export function printRecords(
  records: readonly JsonRecord[],
  columns: readonly FieldColumn[],
  terminal: Terminal,
  none: string,
): void {
  for (const record of records) terminal.printJson(record);
  if (terminal.json) return;
  if (records.length === 0) return terminal.say(none);
  const rows = records.map((record) =>
    columns.map(({ field }) => {
      const value = record[field];
      return plainText(Array.isArray(value) ? value.map(String).join(',') : fieldText(record, field));
    }),
  );
  for (const line of renderTable(columns, rows, terminal.width)) terminal.print(line);
}
