import { adminCommand } from '../admin/admin-command.js';
import { oneName } from '../admin/one-name.js';
import { readParts } from '../admin/read-parts.js';
import { EXIT } from '../failure.js';
import { plainText } from '../terminal/plain-text.js';
import { accountPath, fieldsOf } from './credits-answers.js';

const FIELDS = ['entry_id', 'at', 'kind', 'amount', 'balance', 'job_id', 'task_id', 'charged', 'note'];

export const creditsLedgerCommand = adminCommand({
  name: 'credits ledger',
  summary: 'print the entries of an account, oldest first',
  words: 'ACCOUNT',
  options: {},
  examples: ['heddle credits ledger acme', 'heddle credits ledger acme --json | jq -s "map(.amount) | add"'],
  async run({ words, terminal, admin }) {
    const name = oneName(words, 'credits ledger', 'the name of an account');
    for await (const part of readParts(admin, accountPath(name, '/ledger'), 'entries')) {
      for (const one of part) {
        const entry = fieldsOf(one, FIELDS);
        terminal.printJson(entry);
        if (!terminal.json) terminal.print(lineOf(entry));
      }
    }
    return EXIT.done;
  },
});

function lineOf({
  at,
  kind,
  amount,
  balance,
  job_id,
  task_id,
  charged,
  note,
}: Readonly<Record<string, unknown>>): string {
  const sum = Number(amount) > 0 ? `+${String(amount)}` : String(amount);
  const rest = [job_id ?? task_id, charged === null ? null : `charged ${String(charged)}`, note].filter(
    (part) => part !== null,
  );
  return plainText(
    `${String(at)}  ${String(kind).padEnd(8)}  ${sum.padStart(10)}  ${String(balance).padStart(10)}  ${rest.join('  ')}`,
  ).trimEnd();
}
