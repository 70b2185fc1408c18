import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { heddle } from '@heddle/cli';
import { startStandalone } from '@heddle/testing-standalone';
import { Screen } from './screen.ts';

const DEMO = fileURLToPath(new URL('../../apps/cli/demo/', import.meta.url));
const COLUMNS = 80;

/** What a person sees who runs the demonstration's graph on a terminal of 80 columns; the paths are those of the README. */
export async function recordTranscript(): Promise<string> {
  const service = await startStandalone();
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
      env: { HEDDLE_URL: service.url, NO_COLOR: '1' },
    });
    if (code !== 0) throw new Error(`heddle run ended with ${code}:\n${screen.text()}`);
    return screen.text().replaceAll(`${folder}/`, '');
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The form of a transcript: what differs from run to run (ids, times, hashes) is the same in it. */
export function formOf(transcript: string): string {
  return transcript
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\bjob [0-9a-f]{8}\b/g, 'job ID')
    .replace(/\b[0-9a-f]{12}\b/g, 'HASH')
    .replace(/\d+(\.\d+)? (ms|s)\b/g, 'TIME')
    .replace(/ {2,}/g, ' ')
    .trim();
}
