import type { Command } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { assetId, deleteAsset } from './one-asset.js';

export const assetsDeleteCommand: Command = {
  name: 'assets delete',
  summary: 'delete asset records; shared bytes stay',
  words: 'ASSET...',
  options: {},
  examples: ['heddle assets delete 0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10'],
  async run({ words, terminal, client: connect }) {
    if (words.length === 0) throw wrongUsage('assets delete takes at least one asset');
    const ids = words.map(assetId);
    const client = connect();
    for (const id of ids) {
      await deleteAsset(client, id);
      terminal.printJson({ id, deleted: true });
      if (!terminal.json) terminal.print(`${id} deleted`);
    }
    return EXIT.done;
  },
};
