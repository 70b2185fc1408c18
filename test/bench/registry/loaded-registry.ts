import { embeddedDatabaseUrl } from '../../api/database.ts';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { copyPackages, PUBLISHERS, publisherOf } from './copy-packages.ts';
import { packageOf } from './package-names.ts';
import { call, createPublisher, publishPackage, zipOf } from './publish-package.ts';

const ADMIN_TOKEN = randomBytes(24).toString('base64url');
/** Settings of a registry under measurement: no limit on one client */
export const OPEN_REGISTRY = {
  HEDDLE_WORKERS: '0',
  HEDDLE_LOG_LEVEL: 'warn',
  HEDDLE_REGISTRY_READ_RATE: '1000000',
  HEDDLE_REGISTRY_READ_BURST: '1000000',
  HEDDLE_REGISTRY_VERSIONS_DAY: '100000',
  HEDDLE_ADMIN_TOKEN: ADMIN_TOKEN,
};

/** 10,000 packages, 100,000 versions and 1,000,000 classes in a new standalone. Takes one to two minutes. */
export async function loadedRegistry(): Promise<Standalone> {
  const service = await startStandalone({ env: OPEN_REGISTRY });
  try {
    await load(service);
    return service;
  } catch (error) {
    await service.stop();
    throw error;
  }
}

async function load(service: Standalone): Promise<void> {
  const publisher = await createPublisher(service, 'template');
  const status = await publishPackage(service, publisher, {
    node: { id: 'template', description: 'A package', license: '{"file": "LICENSE"}', author: 'bench' },
    version: {
      version: '1.0.0',
      changelog: 'Mends the sizes of masks, and reads older files.',
      dependencies: ['torch>=2.1', 'numpy', 'pillow>=10', 'opencv-python-headless'],
    },
    archive: await zipOf({ '__init__.py': sourceOf(packageOf(0).classes) }),
  });
  if (status !== 'NodeVersionStatusActive') throw new Error(`the template is ${status}`);
  const owner = new pg.Client(await embeddedDatabaseUrl(service.dataDir));
  await owner.connect();
  try {
    await copyPackages(owner, { publisherId: publisher.id, nodeKey: 'template' });
    await owner.query(
      'vacuum analyze registry.node, registry.version, registry.wf_node, registry.publisher, registry.member',
    );
    for (let number = 0; number < PUBLISHERS; number += 1) {
      const path = `${service.opsUrl}/admin/v1/registry/publishers/${publisherOf(number)}/unban`;
      await call(path, 'POST', { reason: 'bench' }, ADMIN_TOKEN);
    }
    await owner.query('vacuum analyze registry.listing, registry.listed_class');
  } finally {
    await owner.end();
  }
}

/** Classes as packages have them: inputs of several kinds, two outputs, some code. */
export function sourceOf(classes: readonly string[]): string {
  const bodies = classes.map(
    (name) => `class ${name}:
    DESCRIPTION = "Takes the picture and its mask, and gives both back as they are after the change."
    CATEGORY = "bench/pictures"
    FUNCTION = "run"
    RETURN_TYPES = ("IMAGE", "MASK")
    RETURN_NAMES = ("image", "mask")

    @classmethod
    def INPUT_TYPES(cls):
        return {
            "required": {
                "image": ("IMAGE",),
                "strength": ("FLOAT", {"default": 1.0, "min": 0.0, "max": 10.0, "step": 0.01}),
                "method": (["nearest", "bilinear", "bicubic", "area"], {"default": "bilinear"}),
            },
            "optional": {"mask": ("MASK",), "seed": ("INT", {"default": 0, "min": 0, "max": 4294967295})},
        }

    def run(self, image, strength, method, mask=None, seed=0):
        result = image * strength
        return (result, mask)


`,
  );
  return `${bodies.join('')}NODE_CLASS_MAPPINGS = {${classes.map((name) => `"${name}": ${name}`).join(', ')}}\n`;
}
