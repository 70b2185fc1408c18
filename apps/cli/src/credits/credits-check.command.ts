import { adminCommand } from '../admin/admin-command.js';
import { noWords } from '../admin/one-name.js';
import { EXIT } from '../failure.js';
import { plainText } from '../terminal/plain-text.js';
import { counted } from '../terminal/quantities.js';
import { fieldsOf } from './credits-answers.js';

const MAX_SHOWN_PROBLEMS = 1_000;

export const creditsCheckCommand = adminCommand({
  name: 'credits check',
  summary: 'compare every ledger with its balance, the log of jobs and the tasks of the partner proxy',
  words: '',
  judges: true,
  options: {},
  examples: ['heddle credits check', 'heddle credits check --json'],
  notes: async () =>
    await Promise.resolve([
      'Exit code 1: at least one ledger is wrong. You can run the command while the service runs.',
    ]),
  async run({ words, terminal, admin }) {
    noWords(words, 'credits check');
    const problems: string[] = [];
    let [accounts, entries] = [0, 0];
    let from: unknown = null;
    do {
      const query = from === null ? '' : `?from=${encodeURIComponent(String(from))}`;
      const part = fieldsOf(await admin.call('GET', `credit-check${query}`), [
        'accounts',
        'entries',
        'problems',
        'next',
      ]);
      accounts += Number(part['accounts']);
      entries += Number(part['entries']);
      const found = Array.isArray(part['problems']) ? part['problems'] : [];
      problems.push(...found.map(String).slice(0, MAX_SHOWN_PROBLEMS - problems.length));
      from = part['next'];
    } while (from !== null);
    terminal.printJson({ accounts, entries, problems });
    if (!terminal.json) {
      for (const problem of problems) terminal.print(plainText(problem));
      const verdict = problems.length === 0 ? 'no problems' : counted(problems.length, 'problem');
      const checked = `${counted(accounts, 'account')}, ${counted(entries, 'entry', 'entries')}`;
      terminal.print(`${checked}: ${verdict}`);
    }
    return problems.length === 0 ? EXIT.done : EXIT.failed;
  },
});
