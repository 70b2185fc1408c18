import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { heddle } from '@heddle/cli';
import { Screen } from './screen.ts';

/** The page that shows the transcript. */
export const TRANSCRIPT_PAGE = 'docs/how-to/use-the-command-line.md';

const DEMO = fileURLToPath(new URL('../../apps/cli/demo/', import.meta.url));
const COLUMNS = 80;

/** What a person sees who runs the demonstration's graph on a terminal of 80 columns, with short paths. */
export async function recordTranscript(url: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-transcript-'));
  try {
    const out = join(folder, 'results');
    const screen = new Screen();
    const stream = { write: (text: string) => screen.write(text), isTTY: true, columns: COLUMNS };
    const words = [
      'run',
      join(DEMO, 'graph.json'),
      '--input',
      `1.image=${join(DEMO, 'lake-at-dusk.jpg')}`,
      '--out',
      out,
    ];
    screen.write('$ heddle run graph.json --input 1.image=lake-at-dusk.jpg --out results\n');
    const code = await heddle(words, {
      stdout: stream,
      stderr: stream,
      env: { HEDDLE_URL: url, NO_COLOR: '1' },
    });
    if (code !== 0) throw new Error(`heddle run ended with ${code}:\n${screen.text()}`);
    return screen.text().replaceAll(`${folder}/`, '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
