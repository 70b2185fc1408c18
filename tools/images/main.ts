// `npm run images`: the image without docker. `--to FOLDER` lays its files down instead, for docker/heddle.Dockerfile.
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { imageEntries, type ImageEntry } from './image-entries.ts';
import { builtCommit, makeHeddleImage } from './make-heddle-image.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

async function main(words: readonly string[]): Promise<number> {
  const [word, folder] = words;
  if (word === '--to' && folder !== undefined) {
    layDown(imageEntries(ROOT, builtCommit(ROOT)), folder);
    return 0;
  }
  if (word !== undefined && word !== '--json') {
    process.stderr.write(`heddle: unknown option ${word}; there are --json and --to FOLDER\n`);
    return 2;
  }
  const made = await makeHeddleImage(ROOT);
  const shown = relative(ROOT, made.file);
  process.stdout.write(
    word === '--json'
      ? `${JSON.stringify({ ...made, file: shown })}\n`
      : `image ${made.name}:${made.tag} ${made.digest} ${made.bytes} ${shown}\n`,
  );
  return 0;
}

function layDown(entries: readonly ImageEntry[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const entry of entries) {
    const path = join(folder, entry.path);
    if (entry.type === 'link') symlinkSync(entry.target, path);
    else if (entry.type === 'file') writeFileSync(path, entry.content());
    else mkdirSync(path, { recursive: true });
    if (entry.type === 'folder' && entry.owner !== 0) chownSync(path, entry.owner, entry.owner);
    if (entry.type !== 'link') chmodSync(path, entry.mode);
  }
}

process.exitCode = await main(process.argv.slice(2));
