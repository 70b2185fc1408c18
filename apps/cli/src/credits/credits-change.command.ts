import { MAX_CREDIT_CHANGE } from '@heddle/contracts-messages';
import { adminCommand } from '../admin/admin-command.js';
import type { Command } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { accountPath, printCredits } from './credits-answers.js';

export const creditsGrantCommand = changeCommand('grant', 'give credits to an account');
export const creditsWithdrawCommand = changeCommand('withdraw', 'take credits from an account, never below 0');

function changeCommand(name: 'grant' | 'withdraw', summary: string): Command {
  return adminCommand({
    name: `credits ${name}`,
    summary,
    words: 'ACCOUNT AMOUNT',
    options: { note: { value: 'TEXT', meaning: 'why: it stays with the entry of the ledger' } },
    examples: [`heddle credits ${name} acme 500`, `heddle credits ${name} acme 500 --note 'order 4711' --json`],
    async run({ words, options, terminal, admin }) {
      const [account, amount, ...more] = words;
      if (account === undefined || amount === undefined || more.length > 0)
        throw wrongUsage(
          `credits ${name} takes the name of an account and an amount`,
          `for example heddle credits ${name} acme 500`,
        );
      if (!/^\d{1,16}$/.test(amount))
        throw wrongUsage(
          `"${amount}" is not an amount of credits`,
          `give a whole number of credits up to ${MAX_CREDIT_CHANGE}, such as 500`,
        );
      const body = { amount: Number(amount), note: options.text('note') };
      printCredits(terminal, await admin.call('POST', accountPath(account, `/${name}`), body));
      return EXIT.done;
    },
  });
}
