import { recordOf } from '../admin/read-parts.js';
import type { Terminal } from '../terminal/terminal.js';

/** `{account, balance, reserved, granted, charged, withdrawn}`, as the admin API answers. */
export function printCredits(terminal: Terminal, answer: unknown): void {
  const credits = fieldsOf(answer, ['account', 'balance', 'reserved', 'granted', 'charged', 'withdrawn']);
  terminal.printJson(credits);
  if (terminal.json) return;
  for (const [name, value] of Object.entries(credits)) terminal.print(`${name.padEnd(10)}${String(value)}`);
}

/** These fields of an answer, in this order; absent ones are null. */
export function fieldsOf(answer: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  const record = recordOf(answer);
  return Object.fromEntries(names.map((name) => [name, record[name] ?? null]));
}

export function accountPath(name: string, rest = ''): string {
  return `credits/${encodeURIComponent(name)}${rest}`;
}
