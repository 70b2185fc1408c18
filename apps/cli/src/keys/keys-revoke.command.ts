import { adminCommand } from '../admin/admin-command.js';
import { recordOf } from '../admin/read-parts.js';
import { EXIT } from '../failure.js';
import { keyId } from './key-id.js';
import { printKeys } from './render-key.js';

export const keysRevokeCommand = adminCommand({
  name: 'keys revoke',
  summary: 'end an API key; every gateway refuses it within 30 s',
  words: 'ID',
  options: {},
  examples: ['heddle keys revoke 4f0w1z9k2m7q8t3x'],
  async run({ words, terminal, admin }) {
    const id = keyId(words, 'keys revoke');
    printKeys([recordOf(await admin.call('POST', `keys/${id}/revoke`))], terminal);
    return EXIT.done;
  },
});
