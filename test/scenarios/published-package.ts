import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Graph } from '@heddle/testing-api';
import { runCli } from './run-cli.ts';

const PYPROJECT = `
[project]
name = "image-tools"
version = "1.0.0"
[tool.heddle]
PublisherId = "acme"
`;
/** Which models there are is known at run time alone. */
const SOURCE = `
import folder_paths

class Brighten:
    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {
            "image": ("IMAGE",), "amount": ("FLOAT", {"min": 0.0, "max": 1.0}),
            "model": (folder_paths.get_filename_list("loras"),)}}
    RETURN_TYPES = ("IMAGE",)
    FUNCTION = "run"

class ImageInvert:
    RETURN_TYPES = ()
    FUNCTION = "run"

NODE_CLASS_MAPPINGS = {"ToolsBrighten": Brighten, "ImageInvert": ImageInvert}
`;
export const PACKAGES = [{ id: 'image-tools', version: '1.0.0' }];

/** Publishes the package with the key of an account. `registry`: default, that of the service. */
export async function publishPackage(
  folder: string,
  key: string,
  { url, registry = `${url}/registry` }: { readonly url: string; readonly registry?: string },
): Promise<void> {
  await writeFile(join(folder, 'pyproject.toml'), PYPROJECT);
  await writeFile(join(folder, '__init__.py'), SOURCE);
  for (const words of [
    ['init', '--quiet'],
    ['add', '.'],
  ])
    execFileSync('git', ['-C', folder, ...words]);
  const service = { HEDDLE_URL: url, HEDDLE_REGISTRY_URL: registry, HEDDLE_TOKEN: key };
  const env = { ...service, HOME: folder, XDG_CONFIG_HOME: '' };
  await runCli(['registry', 'create-publisher', 'acme', '--name', 'Acme'], env);
  const token = await runCli(['registry', 'create-token', 'acme', '--name', 'CI', '--json'], env);
  const published = await runCli(['registry', 'publish', folder], {
    ...env,
    HEDDLE_REGISTRY_TOKEN: String(token.lines()[0]?.['token']),
  });
  if (published.code !== 0) throw new Error(published.err);
}

/** The engine's ImageInvert has one output, that of the package none. */
export function brightened(inputs: object): Graph {
  return {
    '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 7 } },
    '2': { class_type: 'ImageInvert', inputs: { image: ['1', 0] } },
    '3': { class_type: 'ToolsBrighten', inputs: { image: ['2', 0], ...inputs } as Graph[string]['inputs'] },
    '4': { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'x' } },
  };
}
