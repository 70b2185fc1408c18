import { adminCommand } from '../admin/admin-command.js';
import { oneName } from '../admin/one-name.js';
import { recordOf } from '../admin/read-parts.js';
import { EXIT } from '../failure.js';
import { printAccount } from './render-account.js';

export const accountsShowCommand = adminCommand({
  name: 'accounts show',
  summary: 'show an account with its limits and balance',
  words: 'NAME',
  options: {},
  examples: ['heddle accounts show acme'],
  async run({ words, terminal, admin }) {
    const name = oneName(words, 'accounts show', 'the name of an account');
    printAccount(recordOf(await admin.call('GET', `accounts/${encodeURIComponent(name)}`)), terminal);
    return EXIT.done;
  },
});
