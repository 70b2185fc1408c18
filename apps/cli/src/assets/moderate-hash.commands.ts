import { isBlobHash } from '@heddle/assets-domain';
import { adminCommand } from '../admin/admin-command.js';
import { isRecord } from '../api/wire.js';
import type { Command } from '../command-line/command.js';
import { EXIT, failed, wrongUsage } from '../failure.js';
import { plainText } from '../terminal/plain-text.js';
import type { Terminal } from '../terminal/terminal.js';

const EXAMPLE = 'blake3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262';

/** Decisions on bytes by their hash, and what was decided. */
export const moderationCommands: readonly Command[] = [
  moderation('block', 'nobody uploads, mints or reads the bytes of a hash any more'),
  moderation('unblock', 'end a block, and keep the hash list and the scanner from blocking these bytes'),
  moderation('hold', 'keep the records over the bytes of a hash from being deleted'),
  moderation('release', 'end a hold'),
  moderation('verdict', 'show what was decided on the bytes of a hash, and by whom'),
];

function moderation(call: 'block' | 'unblock' | 'hold' | 'release' | 'verdict', summary: string): Command {
  const name = `assets ${call}`;
  return adminCommand({
    name,
    summary,
    words: 'HASH',
    options: {},
    examples: [`heddle ${name} ${EXAMPLE}`],
    async run({ words, terminal, admin }) {
      const [hash, ...rest] = words;
      if (hash === undefined || !isBlobHash(hash) || rest.length > 0)
        throw wrongUsage(
          `${name} takes one hash: blake3: and 64 lower-case hex digits`,
          'heddle assets show ASSET prints one',
        );
      printVerdict(await admin.call(call === 'verdict' ? 'GET' : 'POST', `assets/${hash}/${call}`), terminal);
      return EXIT.done;
    },
  });
}

function printVerdict(body: unknown, terminal: Terminal): void {
  if (!isRecord(body)) throw failed('the admin API answered without a verdict');
  terminal.printJson(body);
  if (terminal.json) return;
  const states = [body['blocked'] === true ? 'blocked' : '', body['held'] === true ? 'held' : ''].filter(Boolean);
  const by = body['source'] === null ? '' : `, by ${String(body['source'])} at ${String(body['decided_at'])}`;
  terminal.print(plainText(`${String(body['hash'])} ${states.join(' and ') || 'neither blocked nor held'}${by}`));
}
