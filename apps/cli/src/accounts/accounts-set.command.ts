import { adminCommand } from '../admin/admin-command.js';
import { oneName } from '../admin/one-name.js';
import { recordOf } from '../admin/read-parts.js';
import { EXIT, wrongUsage } from '../failure.js';
import { LIMIT_OPTIONS, limitsIn } from './limit-options.js';
import { printAccount } from './render-account.js';

export const accountsSetCommand = adminCommand({
  name: 'accounts set',
  summary: 'change limits of an account',
  words: 'NAME',
  options: LIMIT_OPTIONS,
  examples: ['heddle accounts set acme --streams 16', 'heddle accounts set acme --queue-depth default'],
  async run({ words, options, terminal, admin }) {
    const name = oneName(words, 'accounts set', 'the name of an account');
    const limits = limitsIn(options);
    if (Object.keys(limits).length === 0)
      throw wrongUsage('accounts set changes nothing without a limit', 'heddle help accounts set lists them');
    const path = `accounts/${encodeURIComponent(name)}/limits`;
    printAccount(recordOf(await admin.call('POST', path, { limits })), terminal);
    return EXIT.done;
  },
});
