import { SCOPES } from '@heddle/contracts-api-v2';
import { adminCommand } from '../admin/admin-command.js';
import { noWords } from '../admin/one-name.js';
import { withoutNote } from '../admin/read-parts.js';
import { seconds } from '../command-line/read-arguments.js';
import { EXIT, wrongUsage } from '../failure.js';
import { printNewKey } from './render-key.js';

export const keysCreateCommand = adminCommand({
  name: 'keys create',
  summary: 'create an API key, and its account if there is none of this name',
  words: '',
  options: {
    account: { value: 'NAME', meaning: 'whose key it is' },
    name: { value: 'TEXT', meaning: 'what the key is for' },
    scopes: { value: 'A,B', meaning: `what it may do; default: all of ${SCOPES.join(', ')}`, choices: SCOPES },
    'expires-in': { value: 'SECONDS', meaning: 'life of the key; default: for ever' },
  },
  examples: [
    'heddle keys create --account acme',
    'heddle keys create --account acme --name CI --scopes jobs:read,assets:read --expires-in 86400 --json',
  ],
  async run({ words, options, terminal, admin }) {
    noWords(words, 'keys create');
    const account = options.text('account');
    if (account === null) throw wrongUsage('--account is missing', 'e.g. heddle keys create --account acme');
    const life = seconds(options, 'expires-in');
    const request = {
      account,
      name: options.text('name'),
      scopes: scopesIn(options.text('scopes')),
      expires_in: life === null ? null : life / 1_000,
    };
    printNewKey(withoutNote(await admin.call('POST', 'keys', request), terminal), terminal);
    return EXIT.done;
  },
});

function scopesIn(text: string | null): readonly string[] {
  if (text === null) return [];
  const scopes = text.split(',').map((scope) => scope.trim());
  const known: readonly string[] = SCOPES;
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown === undefined) return scopes;
  throw wrongUsage(`--scopes lists "${unknown}", which is not a scope`, `scopes: ${SCOPES.join(', ')}`);
}
