import { fieldText } from '../admin/read-parts.js';
import type { JsonRecord } from '../api/wire.js';
import { plainText } from '../terminal/plain-text.js';
import { renderTable } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';

const COLUMNS = [
  { title: 'KEY', field: 'key_id', whole: true },
  { title: 'ACCOUNT', field: 'account' },
  { title: 'STATUS', field: 'status' },
  { title: 'NAME', field: 'name', shrinks: true },
  { title: 'CREATED', field: 'created_at' },
  { title: 'EXPIRES', field: 'expires_at' },
  { title: 'LAST USED', field: 'last_used_at' },
  { title: 'REVOKED', field: 'revoked_at' },
  { title: 'SCOPES', field: 'scopes', shrinks: true },
];

/** A key that was just made: the key itself is the result, and it is shown this once. */
export function printNewKey(key: JsonRecord, terminal: Terminal): void {
  terminal.printJson(key);
  if (terminal.json) return;
  terminal.say(`key ${fieldText(key, 'key_id')} of account ${fieldText(key, 'account')}; it is not shown again:`);
  terminal.print(plainText(fieldText(key, 'key')));
}

export function printKeys(keys: readonly JsonRecord[], terminal: Terminal): void {
  for (const key of keys) terminal.printJson(key);
  if (terminal.json) return;
  if (keys.length === 0) return terminal.say('no keys');
  const rows = keys.map((key) => {
    const shown: JsonRecord = { ...key, status: statusOf(key) };
    return COLUMNS.map(({ field }) => {
      const value = shown[field];
      return plainText(Array.isArray(value) ? value.join(',') : fieldText(shown, field));
    });
  });
  for (const line of renderTable(COLUMNS, rows, terminal.width)) terminal.print(line);
}

function statusOf(key: JsonRecord): string {
  if (fieldText(key, 'revoked_at') !== '') return 'revoked';
  const expiresAt = fieldText(key, 'expires_at');
  return expiresAt !== '' && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'active';
}
