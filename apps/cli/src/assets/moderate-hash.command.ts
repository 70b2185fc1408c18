import { adminCommand } from '../admin/admin-command.js';
import { isRecord } from '../api/wire.js';
import type { Command } from '../command-line/command.js';
import { EXIT, failed, wrongUsage } from '../failure.js';
import { plainText } from '../terminal/plain-text.js';
import { assertHash } from './one-asset.js';
import type { Terminal } from '../terminal/terminal.js';

const EXAMPLE = 'blake3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262';

const DECISIONS = [
  { name: 'assets block', summary: 'refuse every upload, mint and read of the bytes of a hash' },
  { name: 'assets unblock', summary: 'end a block; the hash list and the scanner do not block these bytes again' },
  { name: 'assets hold', summary: 'prevent the deletion of assets with the bytes of a hash' },
  { name: 'assets release', summary: 'end a hold' },
  { name: 'assets verdict', summary: 'show the decision on the bytes of a hash, and who made it' },
];

/** Decisions on bytes by their hash, and what was decided. */
export const moderationCommands: readonly Command[] = DECISIONS.map(({ name, summary }) =>
  adminCommand({
    name,
    summary,
    words: 'HASH',
    options: {},
    examples: [`heddle ${name} ${EXAMPLE}`],
    async run({ words, terminal, admin }) {
      const [hash, ...rest] = words;
      if (hash === undefined || rest.length > 0)
        throw wrongUsage(`${name} takes one hash`, 'heddle assets show ASSET prints one');
      assertHash(hash);
      const call = name.replace('assets ', '');
      printVerdict(await admin.call(call === 'verdict' ? 'GET' : 'POST', `assets/${hash}/${call}`), terminal);
      return EXIT.done;
    },
  }),
);

function printVerdict(body: unknown, terminal: Terminal): void {
  if (!isRecord(body)) throw failed('the admin API answered without a verdict');
  terminal.printJson(body);
  if (terminal.json) return;
  const states = [body['blocked'] === true ? 'blocked' : '', body['held'] === true ? 'held' : ''].filter(Boolean);
  const by = body['source'] === null ? '' : `, by ${String(body['source'])} at ${String(body['decided_at'])}`;
  terminal.print(plainText(`${String(body['hash'])} ${states.join(' and ') || 'neither blocked nor held'}${by}`));
}
