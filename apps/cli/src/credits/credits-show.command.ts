import { adminCommand } from '../admin/admin-command.js';
import { oneName } from '../admin/one-name.js';
import { EXIT } from '../failure.js';
import { accountPath, printCredits } from './credits-answers.js';

export const creditsShowCommand = adminCommand({
  name: 'credits show',
  summary: 'show what an account has, has reserved and has spent',
  words: 'ACCOUNT',
  options: {},
  examples: ['heddle credits show acme', 'heddle credits show acme --json | jq .balance'],
  async run({ words, terminal, admin }) {
    const name = oneName(words, 'credits show', 'the name of an account');
    printCredits(terminal, await admin.call('GET', accountPath(name)));
    return EXIT.done;
  },
});
