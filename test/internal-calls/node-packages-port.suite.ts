import type { NodePackagesPort, PostedClasses } from '@heddle/contracts-messages';
import { beforeAll, expect, it } from 'vitest';
import type { RegistryUnderTest } from './registry-under-test.js';

const POSTED = { category: 'c', input_types: '{"required": {"é": ["IMAGE"]}}', return_types: '["IMAGE"]' };

/** NodePackagesPort, directly and over gRPC. `publisher`: one of its own for each binding, whose classes have its name. */
export function itAnswersTheValidation(
  publisher: string,
  packages: () => NodePackagesPort,
  registry: () => Pick<RegistryUnderTest, 'admin' | 'client'>,
): void {
  const nodeId = `Pack-of-${publisher}`;
  const [shown, half] = [`${publisher}.Shown`, `${publisher}.Half`];
  const named = (version: string, node = nodeId) => ({ nodeId: node, version });
  const post = async (version: string, classes: PostedClasses) =>
    expect(await registry().admin.setClasses(named(version), classes)).toMatchObject({ ok: true });

  beforeAll(async () => {
    const { admin, client } = registry();
    await client.makePublisher(publisher);
    for (const version of ['1.0.0', '1.1.0', '2.0.0']) await client.publishFlagged(publisher, nodeId, version);
    const unknown = ['return_types.0'];
    const nodes = { [shown]: POSTED, [half]: { ...POSTED, output_node: true, unknown } };
    await post('1.0.0', { success: true, reason: '', nodes });
    await post('1.1.0', { success: false, reason: 'unreadable', nodes: {} });
    await admin.review(named('1.0.0'), 'active', '');
    await admin.review(named('2.0.0'), 'banned', '');
  });

  it('names the package of a class, of the latest active version alone', async () => {
    expect(await packages().packagesOf([shown, `${publisher}.None`, half])).toEqual(
      new Map([shown, half].map((name) => [name, named('1.0.0')])),
    );
    expect(await packages().packagesOf([])).toEqual(new Map());
    // Names are told apart by case.
    expect(await packages().packagesOf([shown.toUpperCase()])).toEqual(new Map());
  });

  it('knows which versions can be installed, as they are named, in the order in which they are asked', async () => {
    const asked = [
      named('2.0.0'),
      named('v1.1'),
      named('9.9.9'),
      named('1.0.0', nodeId.toUpperCase()),
      named('x', '?'),
    ];
    expect(await packages().installable(asked)).toEqual([asked[1], asked[3]]);
    expect(await packages().installable([])).toEqual([]);
  });

  it('tells the classes of a version and whether they are all, also of one that is banned', async () => {
    const { input_types: inputTypes, return_types: returnTypes } = POSTED;
    const classes = [
      { name: half, inputTypes, returnTypes, outputNode: true, unknown: ['return_types.0'] },
      { name: shown, inputTypes, returnTypes, outputNode: false, unknown: [] },
    ];
    expect(await packages().classesOf(named('1.0'))).toEqual({ classes, isWhole: true });
    expect(await packages().classesOf(named('1.1.0'))).toEqual({ classes: [], isWhole: false });
    expect(await packages().classesOf(named('2.0.0'))).toEqual({ classes: [], isWhole: true });
  });

  it('has no classes of what the registry never had', async () => {
    for (const absent of [named('9.9.9'), named('1.0.0', 'nothing'), named('x'), named('1.0.0', 'no id!')])
      expect(await packages().classesOf(absent)).toBeNull();
  });
}
