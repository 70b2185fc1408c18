import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unmarkedBlocks } from './page-blocks.ts';
import { transcriptOf } from './transcript-block.ts';
import { recordTranscript, TRANSCRIPT_PAGE } from './record.ts';
import { countRun, formOf, runPage } from './run-blocks.ts';

const ROOT = resolve(fileURLToPath(import.meta.url), '../../..');
const MANAGED_PAGE = 'docs/how-to/run-managed-and-dedicated.md';
const HOW_TO = readdirSync(join(ROOT, 'docs/how-to'))
  .map((name) => `docs/how-to/${name}`)
  .filter((name) => name !== MANAGED_PAGE);
const PAGES = ['README.md', 'docs/troubleshooting.md', ...HOW_TO];

/** One service for all pages: they name the addresses of `npm start`, which are replaced by those of this one. */
describe('pages, with a service of their own', () => {
  let service: Standalone;
  beforeAll(async () => {
    service = await startStandalone();
  });
  afterAll(async () => await service.stop());

  // First, as the files that others upload are known then.
  it('show what heddle run draws today; node tools/record-transcript.ts --write renews it', async () => {
    const shown = transcriptOf(readFileSync(join(ROOT, TRANSCRIPT_PAGE), 'utf8'));
    expect(formOf(shown ?? '')).toBe(formOf(await recordTranscript(service.url)));
  });

  it.each(PAGES)('%s: every block of commands runs as it is pasted, and prints what the page shows', async (name) => {
    const page = readFileSync(join(ROOT, name), 'utf8');
    expect(unmarkedBlocks(page)).toEqual([]);
    const here = page
      .replaceAll('http://127.0.0.1:8189', service.url)
      .replaceAll('http://127.0.0.1:9189', service.opsUrl);
    const env = { HEDDLE_URL: service.url, HEDDLE_DATA: service.dataDir, NO_COLOR: '1' };
    expect(await runPage(here, { root: ROOT, env })).toEqual([]);
  });

  it('run most blocks of the README', () => {
    const { commands, run } = countRun(readFileSync(join(ROOT, 'README.md'), 'utf8'));
    expect(run).toBeGreaterThanOrEqual(commands - 2);
    expect(run).toBeGreaterThanOrEqual(5);
  });
});

/** Started as its page says; the hosts of its deployments are below localhost. */
describe('the page of the managed and dedicated surfaces', () => {
  it('has blocks that run as they are pasted, and print what the page shows', async () => {
    const page = readFileSync(join(ROOT, MANAGED_PAGE), 'utf8');
    expect(unmarkedBlocks(page)).toEqual([]);
    const service = await startStandalone({
      env: { HEDDLE_SURFACE: 'managed', HEDDLE_DEPLOYMENT_HOST: 'run.localhost' },
    });
    try {
      const env = { HEDDLE_DATA: service.dataDir, NO_COLOR: '1' };
      expect(await runPage(page.replaceAll(':8189', `:${service.port}`), { root: ROOT, env })).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
