import { basename } from 'node:path';
import type { Command } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { plainText } from '../terminal/plain-text.js';
import { percentText, progressBar } from '../terminal/progress-bar.js';
import { fit } from '../terminal/text-width.js';
import { placement, PLACEMENT_OPTIONS } from './one-asset.js';
import { printAsset } from './render-asset.js';
import { assertFile, storeFile } from './store-file.js';

export const assetsUploadCommand: Command = {
  name: 'assets upload',
  summary: 'upload local files as assets; stored bytes are not sent again',
  words: 'FILE...',
  options: PLACEMENT_OPTIONS,
  examples: [
    'heddle assets upload photo.png',
    'heddle assets upload photo.png --as portraits/anna.png --tag input --expires 86400',
  ],
  async run({ words, options, terminal, client: connect }) {
    if (words.length === 0) throw wrongUsage('assets upload takes at least one file');
    const target = placement(options);
    if (target.filePath !== undefined && words.length > 1) throw wrongUsage('--as goes with one file');
    // Before the first is sent: half of a list is nothing that anybody asked for.
    for (const file of words) await assertFile(file);
    const client = connect();
    for (const file of words) {
      const label = fit(`upload ${plainText(basename(file))}`, 24);
      const onProgress = (sent: number, total: number): void =>
        terminal.draw([`${label} ${progressBar(sent / total, 24)} ${percentText(sent / total)}`]);
      const { asset, sent } = await storeFile(client, file, { ...target, onProgress });
      if (!terminal.json) terminal.say(sent ? 'uploaded' : 'already stored, nothing was sent');
      printAsset(asset, terminal);
    }
    return EXIT.done;
  },
};
