import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { transcriptOf } from './readme-block.ts';
import { formOf, recordTranscript } from './record.ts';

const README = fileURLToPath(new URL('../../README.md', import.meta.url));

describe('the transcript in the README', () => {
  it('is what heddle run shows today; node tools/record-transcript.ts --write renews it', async () => {
    const shown = transcriptOf(readFileSync(README, 'utf8'));
    expect(formOf(shown ?? '')).toBe(formOf(await recordTranscript()));
  }, 180_000);
});
