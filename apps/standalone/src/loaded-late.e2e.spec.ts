import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startStandalone } from '@heddle/testing-standalone';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..');
const BUNDLES = join(ROOT, 'dist');
const PROXY = 'libs/partner-proxy/';
/** What a start needs: settings and their checks, migrations, and the question whether work was left. */
const OF_A_START = [
  'libs/partner-proxy/domain/src/index.ts',
  'libs/partner-proxy/domain/src/prices.ts',
  'libs/partner-proxy/src/left-work.sql.ts',
  'libs/partner-proxy/src/price-tasks/price-list.ts',
  'libs/partner-proxy/src/proxy-schema/proxy-migrations.ts',
  'libs/partner-proxy/src/proxy-schema/proxy-tables.ts',
  'libs/partner-proxy/src/proxy-schema/task-retention.ts',
  'libs/partner-proxy/src/settings.ts',
];

/** Sources of the proxy that a standalone had loaded at its end, from the coverage that Node.js writes then. */
async function loadedBy(use: (url: string) => Promise<unknown>): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-loaded-'));
  try {
    const heddle = await startStandalone({ env: { HEDDLE_WORKERS: '0', NODE_V8_COVERAGE: folder } });
    await use(heddle.url).finally(() => heddle.stop());
    const files = await readdir(folder);
    const loaded = await Promise.all(files.map(async (file) => scriptsIn(await readFile(join(folder, file), 'utf8'))));
    const sources = await Promise.all([...new Set(loaded.flat())].map(sourcesOf));
    return sources.flat().filter((source) => source.startsWith(PROXY));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function scriptsIn(coverage: string): readonly string[] {
  const { result } = JSON.parse(coverage) as { result: readonly { url: string }[] };
  const paths = result.filter(({ url }) => url.startsWith('file:')).map(({ url }) => fileURLToPath(url));
  return paths.filter((path) => path.startsWith(`${BUNDLES}/`));
}

/** Of a bundle, from the root. One without code of ours has no map. */
async function sourcesOf(bundle: string): Promise<readonly string[]> {
  if (!existsSync(`${bundle}.map`)) return [];
  const { sources } = JSON.parse(await readFile(`${bundle}.map`, 'utf8')) as { sources: readonly string[] };
  return sources.map((source) => relative(ROOT, resolve(BUNDLES, source)));
}

describe('the partner proxy of a standalone', { timeout: 120_000 }, () => {
  it('is not loaded before its first request', async () => {
    const loaded = await loadedBy(async (url) => {
      expect((await fetch(`${url}/api/v2/jobs`)).status).toBe(200);
    });
    expect(loaded.filter((source) => !OF_A_START.includes(source))).toEqual([]);
  });

  it('is not loaded by a request of the registry', async () => {
    const loaded = await loadedBy(async (url) => {
      expect((await fetch(`${url}/registry/nodes`)).status).toBe(200);
    });
    const more = loaded.filter((source) => !OF_A_START.includes(source));
    expect(more.filter((source) => !source.startsWith(`${PROXY}src/redeliver-task/`))).toEqual([]);
  });

  it('is loaded by its first request', async () => {
    const loaded = await loadedBy(async (url) => {
      const path = 'registry/proxy/videovendor/tasks/00000000-0000-4000-8000-000000000000/creations';
      expect((await fetch(`${url}/${path}`)).status).toBe(404);
    });
    expect(loaded).toContain('libs/partner-proxy/src/partner-proxy.module.ts');
  });
});
