// Records what `heddle run` shows on a terminal: `node tools/record-transcript.ts` prints it, `--write` puts it into
// README.md. `npm test` records it again and compares the form.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withTranscript } from './transcript/readme-block.ts';
import { recordTranscript } from './transcript/record.ts';

const README = fileURLToPath(new URL('../README.md', import.meta.url));

const transcript = await recordTranscript();
if (process.argv.includes('--write')) writeFileSync(README, withTranscript(readFileSync(README, 'utf8'), transcript));
else process.stdout.write(`${transcript}\n`);
