import { adminCommand } from '../admin/admin-command.js';
import { noWords } from '../admin/one-name.js';
import { readParts } from '../admin/read-parts.js';
import { EXIT } from '../failure.js';
import { printAccounts } from './render-account.js';

export const accountsListCommand = adminCommand({
  name: 'accounts list',
  summary: 'list accounts by name',
  words: '',
  options: {},
  examples: ['heddle accounts list', 'heddle accounts list --json | jq -r .name'],
  async run({ words, terminal, admin }) {
    noWords(words, 'accounts list');
    for await (const part of readParts(admin, 'accounts', 'accounts')) {
      for (const account of part) terminal.printJson(account);
      if (!terminal.json) printAccounts(part, terminal);
    }
    return EXIT.done;
  },
});
