import { adminCommand } from '../admin/admin-command.js';
import { oneName } from '../admin/one-name.js';
import { recordOf } from '../admin/read-parts.js';
import { EXIT } from '../failure.js';
import { LIMIT_OPTIONS, limitsIn } from './limit-options.js';
import { printAccount } from './render-account.js';

export const accountsCreateCommand = adminCommand({
  name: 'accounts create',
  summary: 'create an account',
  words: 'NAME',
  options: LIMIT_OPTIONS,
  examples: ['heddle accounts create acme', 'heddle accounts create acme --queue-depth 100 --running 4'],
  async run({ words, options, terminal, admin }) {
    const name = oneName(words, 'accounts create', 'the name of the new account');
    printAccount(recordOf(await admin.call('POST', 'accounts', { name, limits: limitsIn(options) })), terminal);
    return EXIT.done;
  },
});
