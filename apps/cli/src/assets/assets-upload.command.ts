import { basename } from 'node:path';
import type { Command } from '../command-line/command.js';
import { CliFailure, EXIT, ListedFailure, wrongUsage } from '../failure.js';
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
    for (const [at, file] of words.entries()) {
      const label = fit(`upload ${plainText(basename(file))}`, 24);
      const onProgress = (sent: number, total: number): void =>
        terminal.draw([`${label} ${progressBar(sent / total, 24)} ${percentText(sent / total)}`]);
      const { asset, sent } = await storeFile(client, file, { ...target, onProgress }).catch((error: unknown) => {
        throw notUploaded(error, words, at);
      });
      if (!terminal.json) terminal.say(sent ? 'uploaded' : 'already stored, nothing was sent');
      printAsset(asset, terminal);
    }
    return EXIT.done;
  },
};

/** Names the file that failed, and what became of the others: the next command needs only the rest of the list. */
function notUploaded(error: unknown, files: readonly string[], at: number): unknown {
  if (!(error instanceof CliFailure)) return error;
  const { message, exitCode, nextStep, error: envelope } = error;
  const failure = new CliFailure(
    `${files[at]} was not uploaded: ${message}`,
    exitCode,
    nextStep,
    envelope && { ...envelope, file: files[at] },
  );
  const others = [
    ['uploaded', files.slice(0, at)],
    ['not tried', files.slice(at + 1)],
  ] as const;
  const lines = others.flatMap(([what, which]) => (which.length === 0 ? [] : [`  ${what}: ${which.join(', ')}`]));
  return lines.length === 0 ? failure : new ListedFailure(failure, lines);
}
