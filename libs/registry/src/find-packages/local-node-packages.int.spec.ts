import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeNode, makePublisher, makeVersion } from '../published-versions.fixture.js';
import { REGISTRY_ROLE } from '../registry-schema/registry-migrations.js';
import { testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';
import { LocalNodePackages } from './local-node-packages.js';

let registry: TestRegistry;
let packages: LocalNodePackages;

beforeAll(async () => {
  registry = await testRegistry();
  packages = new LocalNodePackages(registry.database.pool(REGISTRY_ROLE));
  await makePublisher(registry, 'acme');
  await makeNode(registry, 'acme', 'Pack-A');
  await makeVersion(registry, 'Pack-A', '1.0.0', { classes: ['Blur', 'Array'] });
  await makeVersion(registry, 'Pack-A', '1.1.0', { status: 'flagged' });
  await makeVersion(registry, 'Pack-A', '1.2.0', { status: 'pending' });
  await makeVersion(registry, 'Pack-A', '1.3.0', { status: 'deleted', classes: ['Old'] });
  await makeVersion(registry, 'Pack-A', '1.4.0', { status: 'banned' });
});
afterAll(() => registry.close());

const named = (version: string, nodeId = 'pack-a') => ({ nodeId, version });

it('a version that is active or flagged can be installed, however it is written', async () => {
  const asked = ['1.4.0', '1.0', '1.2.0', 'v1.1.0', '1.3.0', '9.9.9', 'none'].map((version) => named(version));
  const all = [...asked, named('1.0.0', 'other'), named('1.0.0', 'no id!'), named('1.0.0', 'PACK-A')];
  expect(await packages.installable(all)).toEqual([named('1.0'), named('v1.1.0'), named('1.0.0', 'PACK-A')]);
});

it('the classes of a version are told in any status, and whether they are all', async () => {
  const blur = { inputTypes: '{}', returnTypes: '[]', outputNode: false, unknown: [] };
  const classes = [
    { name: 'Array', ...blur },
    { name: 'Blur', ...blur },
  ];
  expect(await packages.classesOf(named('1.0'))).toEqual({ classes, isWhole: true });
  expect(await packages.classesOf(named('1.1.0'))).toEqual({ classes: [], isWhole: true });
  expect(await packages.classesOf(named('1.2.0'))).toEqual({ classes: [], isWhole: false });
  expect(await packages.classesOf(named('1.3.0'))).toMatchObject({ classes: [{ name: 'Old' }], isWhole: true });
  for (const absent of [named('9.9.9'), named('none'), named('1.0.0', 'other'), named('1.0.0', 'no id!')])
    expect(await packages.classesOf(absent)).toBeNull();
});

it('nothing of a banned publisher can be installed, but what is pinned keeps its classes', async () => {
  const { database } = registry;
  await database.pool(REGISTRY_ROLE).query(`update registry.publisher set status = 'banned'`);
  expect(await packages.installable([named('1.0.0')])).toEqual([]);
  expect(await packages.classesOf(named('1.0.0'))).toMatchObject({ isWhole: true });
});
