import { adminCommand } from '../admin/admin-command.js';
import { noWords } from '../admin/one-name.js';
import { readParts } from '../admin/read-parts.js';
import { EXIT } from '../failure.js';
import { printKeys } from './render-key.js';

export const keysListCommand = adminCommand({
  name: 'keys list',
  summary: 'list API keys, without the keys themselves',
  words: '',
  options: { account: { value: 'NAME', meaning: 'only keys of this account' } },
  examples: ['heddle keys list --account acme', 'heddle keys list --json | jq -r .key_id'],
  async run({ words, options, terminal, admin }) {
    noWords(words, 'keys list');
    const account = options.text('account');
    const path = account === null ? 'keys' : `keys?account=${encodeURIComponent(account)}`;
    for await (const part of readParts(admin, path, 'keys')) printKeys(part, terminal);
    return EXIT.done;
  },
});
