import { adminCommand } from '../admin/admin-command.js';
import { recordOf } from '../admin/read-parts.js';
import { EXIT, wrongUsage } from '../failure.js';
import type { Arguments } from '../command-line/command.js';
import { keyId } from './key-id.js';
import { printNewKey } from './render-key.js';

const DEFAULT_OVERLAP_S = 86_400;

export const keysRotateCommand = adminCommand({
  name: 'keys rotate',
  summary: 'replace an API key by a new one; the old one expires after the overlap',
  words: 'ID',
  options: { overlap: { value: 'SECONDS', meaning: `how long the old key is still good (${DEFAULT_OVERLAP_S})` } },
  examples: ['heddle keys rotate 4f0w1z9k2m7q8t3x', 'heddle keys rotate 4f0w1z9k2m7q8t3x --overlap 3600 --json'],
  async run({ words, options, terminal, admin }) {
    const id = keyId(words, 'keys rotate');
    const overlap = overlapIn(options);
    printNewKey(recordOf(await admin.call('POST', `keys/${id}/rotate`, { overlap })), terminal);
    return EXIT.done;
  },
});

/** Seconds; 0 ends the old key at once. */
function overlapIn(options: Arguments): number {
  const text = options.text('overlap');
  if (text === null) return DEFAULT_OVERLAP_S;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw wrongUsage(`--overlap must be a number of seconds from 0, not "${text}"`, 'e.g. --overlap 3600');
}
