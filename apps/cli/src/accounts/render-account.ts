import { fieldText, givenIn } from '../admin/read-parts.js';
import type { JsonRecord } from '../api/wire.js';
import { plainText } from '../terminal/plain-text.js';
import { renderTable } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';

const COLUMNS = [
  { title: 'ACCOUNT', whole: true },
  { title: 'STATUS' },
  { title: 'CREATED' },
  { title: 'BALANCE', align: 'right' as const },
  { title: 'LIMITS', shrinks: true },
];

/** An account as a JSON line, or as facts for a person. */
export function printAccount(account: JsonRecord, terminal: Terminal): void {
  terminal.printJson(account);
  if (terminal.json) return;
  const facts = { ...account, limits: givenIn(account, 'limits'), usage: givenIn(account, 'usage') };
  for (const field of ['name', 'account_id', 'status', 'created_at', 'balance', 'limits', 'usage']) {
    const text = plainText(fieldText(facts, field));
    if (text !== '') terminal.print(`${field.padEnd(12)}${text}`);
  }
}

export function printAccounts(accounts: readonly JsonRecord[], terminal: Terminal): void {
  if (accounts.length === 0) return terminal.say('no accounts');
  const rows = accounts.map((account) =>
    [
      fieldText(account, 'name'),
      fieldText(account, 'status'),
      fieldText(account, 'created_at'),
      fieldText(account, 'balance'),
      givenIn(account, 'limits'),
    ].map(plainText),
  );
  for (const line of renderTable(COLUMNS, rows, terminal.width)) terminal.print(line);
}
