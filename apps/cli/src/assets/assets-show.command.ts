import type { Command } from '../command-line/command.js';
import { EXIT } from '../failure.js';
import { fetchAsset, oneAsset } from './one-asset.js';
import { printAsset } from './render-asset.js';

export const assetsShowCommand: Command = {
  name: 'assets show',
  summary: 'show one asset',
  words: 'ASSET',
  options: {},
  examples: ['heddle assets show 0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10'],
  async run({ words, terminal, client }) {
    printAsset(await fetchAsset(client(), oneAsset(words, 'assets show')), terminal);
    return EXIT.done;
  },
};
