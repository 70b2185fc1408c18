import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { downloadContent } from '../run-workflow/download-content.js';
import { safeName } from '../run-workflow/safe-name.js';
import { byteText } from '../terminal/quantities.js';
import { fetchAsset, oneAsset } from './one-asset.js';

export const assetsFetchCommand: Command = {
  name: 'assets fetch',
  summary: 'download the bytes of an asset and check them against its hash',
  words: 'ASSET',
  options: {
    out: { value: 'PATH', meaning: "file, or folder for the asset's own name (the current folder)" },
    overwrite: { value: null, meaning: 'replace a file of that name' },
  },
  examples: ['heddle assets fetch 0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10 --out results/'],
  async run({ words, options, terminal, client: connect }) {
    const id = oneAsset(words, 'assets fetch');
    // The bytes are checked before they get their name: standard output would have them unchecked.
    if (options.text('out') === '-')
      throw wrongUsage(
        'assets fetch does not write to standard output',
        '--out names a file; ./- is a file of this name',
      );
    const out = options.text('out') || '.';
    await assertPlace(out);
    const client = connect();
    const asset = await fetchAsset(client, id);
    const path = await targetPath(out, safeName(asset.filePath ?? '', asset.id));
    const download = await downloadContent(client, asset, { path, overwrite: options.on('overwrite') });
    terminal.printJson({
      id: asset.id,
      path: download.path,
      size_bytes: download.sizeBytes,
      hash: download.hash,
      written: download.written,
    });
    if (!terminal.json)
      terminal.print(`${download.path} (${byteText(download.sizeBytes)}${download.written ? '' : ', was there'})`);
    return EXIT.done;
  },
};

/** Also where the stream is a file: a name beside it would be in /dev. */
const STREAM = /^\/(?:dev\/(?:std(?:in|out|err)|fd\/\d+)|proc\/[^/]+\/fd\/\d+)$/;

/** A device is refused before anything is fetched: the file would be made beside it, or in its place. */
async function assertPlace(out: string): Promise<void> {
  const there = await stat(out).catch(() => null);
  const isPlace = there === null || there.isFile() || there.isDirectory();
  if (!isPlace || STREAM.test(resolve(out)))
    throw wrongUsage(
      `--out ${out} is neither a file nor a folder`,
      'name a file or a folder, for example --out results/',
    );
}

async function targetPath(out: string, name: string): Promise<string> {
  const isFolder = /[/\\]$/.test(out) || (await stat(out).catch(() => null))?.isDirectory() === true;
  return isFolder ? join(out, name) : out;
}
