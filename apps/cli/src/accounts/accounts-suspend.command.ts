import { adminCommand } from '../admin/admin-command.js';
import { oneName } from '../admin/one-name.js';
import { recordOf } from '../admin/read-parts.js';
import { EXIT } from '../failure.js';
import { printAccount } from './render-account.js';

export const accountsSuspendCommand = changing('suspend', 'refuse every request of an account until it is resumed');
export const accountsResumeCommand = changing('resume', 'serve a suspended account again');

function changing(verb: 'suspend' | 'resume', summary: string) {
  return adminCommand({
    name: `accounts ${verb}`,
    summary,
    words: 'NAME',
    options: {},
    examples: [`heddle accounts ${verb} acme`],
    async run({ words, terminal, admin }) {
      const name = oneName(words, `accounts ${verb}`, 'the name of an account');
      printAccount(recordOf(await admin.call('POST', `accounts/${encodeURIComponent(name)}/${verb}`)), terminal);
      return EXIT.done;
    },
  });
}
