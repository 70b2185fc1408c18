import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, ManagedRegistry } from '../managed-registry.fixture.js';

const ANN = 'key-ann';
const VERSION = { nodeId: 'pack-a', version: '1.0.0' };
const CLASS = { category: 'c', return_types: '["IMAGE"]', output_is_list: [false] };

describe('the classes of an extractor of the operator', () => {
  let registry: ManagedRegistry;

  beforeAll(async () => {
    ({ registry } = await ManagedRegistry.withPackage());
  });
  afterAll(() => registry.close());

  const versionNow = async () => (await registry.call('GET', '/nodes/pack-a/versions/1.0.0', ANN)).body;
  it('are posted once', async () => {
    const post = (posted: object) =>
      registry.admin.setClasses(VERSION, { success: true, reason: '', nodes: {}, ...posted });
    const wrong = await post({ nodes: { A: { input_types: '[', policy: 'x' }, B: 1 } });
    if (wrong.ok) throw new Error('it was taken');
    expect(Object.keys(wrong.rejection.details!['fields'] as object)).toEqual([
      'nodes.A.input_types',
      'nodes.A.policy',
      'nodes.B',
    ]);
    const both = await Promise.all([post({ nodes: { A: CLASS } }), post({ nodes: { A: CLASS } })]);
    expect(both.map(codeOf).sort()).toEqual(['already_set', 'ok']);
    expect(await versionNow()).toMatchObject({ wf_node_extract_status: 'success' });
    const { rows } = await registry.database.owner.query(`select name, doc from registry.wf_node where name = 'A'`);
    expect(rows).toMatchObject([{ doc: { wf_node_name: 'A', input_types: '{}', ...CLASS } }]);
  });
});
