import type { Command } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { assertHash, placement, PLACEMENT_OPTIONS } from './one-asset.js';
import { printAsset } from './render-asset.js';
import { mintAsset } from './store-file.js';

export const assetsMintCommand: Command = {
  name: 'assets mint',
  summary: 'create an asset from stored bytes, by their hash',
  words: 'HASH',
  options: PLACEMENT_OPTIONS,
  examples: [
    'heddle assets mint blake3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262 --as photo.png',
  ],
  async run({ words, options, terminal, client }) {
    const [hash, ...rest] = words;
    if (hash === undefined || rest.length > 0)
      throw wrongUsage('assets mint takes one hash', 'heddle assets show ASSET prints one');
    assertHash(hash);
    printAsset(await mintAsset(client(), hash, placement(options)), terminal);
    return EXIT.done;
  },
};
