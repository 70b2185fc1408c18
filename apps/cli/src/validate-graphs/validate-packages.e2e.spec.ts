import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHeddle } from '../heddle-process.fixture.js';
import type { Ended } from '../heddle-process.fixture.js';
import { PYPROJECT, repositoryWith } from '../publish-package/package-folder.fixture.js';

const CLASSES = `
import folder_paths

class Brighten:
    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {
            "image": ("IMAGE",), "amount": ("FLOAT", {"min": 0.0, "max": 1.0}),
            "model": (folder_paths.get_filename_list("loras"),)}}
    RETURN_TYPES = ("IMAGE",)
    FUNCTION = "run"

NODE_CLASS_MAPPINGS = {"ToolsBrighten": Brighten}
`;

let service: Standalone;
let folder: string;
const made: string[] = [];
const heddle = async (words: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  await runHeddle(words, { HEDDLE_URL: service.url, HOME: folder, XDG_CONFIG_HOME: '', ...more });

async function graph(inputs: object): Promise<string> {
  const file = join(folder, 'graph.json');
  const nodes = {
    '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
    '2': { class_type: 'ToolsBrighten', inputs: { image: ['1', 0], ...inputs } },
    '3': { class_type: 'PreviewImage', inputs: { images: ['2', 0] } },
  };
  await writeFile(file, JSON.stringify(nodes));
  return file;
}

beforeAll(async () => {
  service = await startStandalone({ env: { HEDDLE_WORKERS: '0' } });
  folder = await mkdtemp(join(tmpdir(), 'heddle-validate-packages-'));
  made.push(folder);
  const pack = await repositoryWith({ 'pyproject.toml': PYPROJECT, '__init__.py': CLASSES });
  made.push(pack);
  await heddle(['registry', 'create-publisher', 'acme', '--name', 'Acme']);
  const token = await heddle(['registry', 'create-token', 'acme', '--name', 'CI', '--json']);
  const published = await heddle(['registry', 'publish', pack], {
    HEDDLE_REGISTRY_TOKEN: String(token.lines()[0]!['token']),
  });
  if (published.code !== 0) throw new Error(published.err);
});

afterAll(async () => {
  await service.stop();
  for (const one of made) await rm(one, { recursive: true, force: true });
});

describe('heddle validate --package', () => {
  it('adds the classes of a published package', async () => {
    const file = await graph({ amount: 0.5, model: 'any.safetensors' });
    const without = await heddle(['validate', file]);
    expect([without.code, without.out]).toEqual([1, expect.stringContaining('unknown_node_class')]);
    for (const name of ['image-tools@1.2.0', 'Image-Tools@1.2']) {
      const { code, out, err } = await heddle(['validate', '--package', name, file]);
      expect({ code, out, err }).toEqual({ code: 0, out: `${file}: valid\n`, err: '' });
    }
  });

  it('checks what is known of them, and nothing that is not', async () => {
    const wrong = await heddle(['validate', '--package', 'image-tools@1.2.0', await graph({ amount: 2 })]);
    expect(wrong.code).toBe(1);
    expect(wrong.out).toContain('1 problem in 1 node\n  node 2, amount: The value 2 is above the maximum of 1.');
  });

  it('reads them from the registry that is named', async () => {
    const file = await graph({ amount: 0.5 });
    const words = ['validate', '--package', 'image-tools@1.2.0', file];
    const away = { HEDDLE_URL: 'http://127.0.0.1:9' };
    expect((await heddle([...words, '--registry', `${service.url}/registry`], away)).code).toBe(0);
    expect((await heddle(words, { ...away, HEDDLE_REGISTRY_URL: `${service.url}/registry` })).code).toBe(0);
    const { code, err } = await heddle(words, away);
    expect([code, err]).toEqual([3, expect.stringContaining('name another with --url or HEDDLE_URL')]);
    // Without a package no service is asked.
    expect((await heddle(['validate', file], away)).code).toBe(1);
  });

  it('needs a version that the registry has', async () => {
    const file = await graph({ amount: 0.5 });
    const absent = await heddle(['validate', '--package', 'image-tools@9.0.0', file]);
    expect([absent.code, absent.err]).toEqual([1, expect.stringContaining('version image-tools@9.0.0 does not exist')]);
    for (const name of ['image-tools', 'image-tools@x', '']) {
      const { code, out } = await heddle(['validate', '--package', name, file]);
      expect({ name, code, out }).toEqual({ name, code: 2, out: '' });
    }
  });
});
