// Records what `heddle run` shows on a terminal: `node tools/record-transcript.ts` prints it, `--write` puts it into
// its page. `npm test` records it again and compares the form.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startStandalone } from '@heddle/testing-standalone';
import { recordTranscript, TRANSCRIPT_PAGE } from './transcript/record.ts';
import { withTranscript } from './transcript/transcript-block.ts';

const PAGE = fileURLToPath(new URL(`../${TRANSCRIPT_PAGE}`, import.meta.url));

const service = await startStandalone();
try {
  const transcript = await recordTranscript(service.url);
  if (process.argv.includes('--write')) writeFileSync(PAGE, withTranscript(readFileSync(PAGE, 'utf8'), transcript));
  else process.stdout.write(`${transcript}\n`);
} finally {
  await service.stop();
}
