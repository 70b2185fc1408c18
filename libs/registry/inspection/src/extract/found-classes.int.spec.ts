import { describe, expect, it } from 'vitest';
import { loadPython } from '../python/parse-python.js';
import { extractNodes } from './extract-nodes.js';
import { extract, namesOf, packageOf } from './package-of.fixture.js';

const CLASS = 'class A:\n    pass\n';
const SCHEMA = `from comfy_api.latest import io
class S(io.ComfyNode):
    @classmethod
    def define_schema(cls):
        return io.Schema(node_id="S")
`;

describe('the classes of a package', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['a dict', { '__init__.py': `${CLASS}NODE_CLASS_MAPPINGS = {"a": A, "b": A}` }, ['a', 'b']],
    ['an annotated dict', { '__init__.py': 'NODE_CLASS_MAPPINGS: dict[str, type] = {"a": 1}' }, ['a']],
    ['dict(…)', { '__init__.py': 'NODE_CLASS_MAPPINGS = dict(a=1, b=2)' }, ['a', 'b']],
    ['a spread', { '__init__.py': 'M = {"a": 1}\nNODE_CLASS_MAPPINGS = {**M, "b": 2}' }, ['a', 'b']],
    ['|', { '__init__.py': 'M = {"a": 1}\nNODE_CLASS_MAPPINGS = M | {"b": 2}' }, ['a', 'b']],
    ['|=', { '__init__.py': 'NODE_CLASS_MAPPINGS = {"a": 1}\nNODE_CLASS_MAPPINGS |= {"b": 2}' }, ['a', 'b']],
    ['update', { '__init__.py': 'NODE_CLASS_MAPPINGS = {}\nNODE_CLASS_MAPPINGS.update({"a": 1}, b=2)' }, ['a', 'b']],
    ['item assignment', { '__init__.py': 'NODE_CLASS_MAPPINGS = {}\nNODE_CLASS_MAPPINGS["a"] = 1' }, ['a']],
    ['an f-string without holes', { '__init__.py': 'NODE_CLASS_MAPPINGS = {f"a": 1}' }, ['a']],
    ['+ of texts', { '__init__.py': 'P = "p "\nNODE_CLASS_MAPPINGS = {P + "a": 1}' }, ['p a']],
    ['a comprehension', { '__init__.py': 'NODE_CLASS_MAPPINGS = {k: 1 for k in ["a", "b"]}' }, ['a', 'b']],
    [
      'a loop',
      { '__init__.py': `${CLASS}NODE_CLASS_MAPPINGS = {}\nfor c in [A]:\n    NODE_CLASS_MAPPINGS[c.__name__] = c` },
      ['A'],
    ],
    [
      'both branches of if and try',
      {
        '__init__.py':
          'if X:\n    NODE_CLASS_MAPPINGS = {"a": 1}\nelse:\n    NODE_CLASS_MAPPINGS = {"b": 1}\n' +
          'try:\n    NODE_CLASS_MAPPINGS["c"] = 1\nexcept Exception:\n    NODE_CLASS_MAPPINGS["d"] = 1',
      },
      ['a', 'b', 'c', 'd'],
    ],
    [
      'a relative import',
      { '__init__.py': 'from .n import NODE_CLASS_MAPPINGS', 'n.py': 'NODE_CLASS_MAPPINGS = {"a": 1}' },
      ['a'],
    ],
    ['an import of all', { '__init__.py': 'from .n.m import *', 'n/m.py': 'NODE_CLASS_MAPPINGS = {"a": 1}' }, ['a']],
    [
      'a module as a name',
      {
        '__init__.py': 'from . import n\nNODE_CLASS_MAPPINGS = n.NODE_CLASS_MAPPINGS',
        'n.py': 'NODE_CLASS_MAPPINGS = {"a": 1}',
      },
      ['a'],
    ],
    [
      'a circular import',
      {
        '__init__.py': 'NODE_CLASS_MAPPINGS = {}\nfrom . import n',
        'n.py': 'from . import NODE_CLASS_MAPPINGS\nNODE_CLASS_MAPPINGS["a"] = 1',
      },
      ['a'],
    ],
    ['a schema', { '__init__.py': SCHEMA }, ['S']],
    [
      'a schema in a module that a function imports',
      { '__init__.py': 'def f():\n    from .s import S', 's.py': SCHEMA },
      ['S'],
    ],
    ['a mapping beside a schema', { '__init__.py': `${SCHEMA}NODE_CLASS_MAPPINGS = {"a": 1}` }, ['a', 'S']],
    ['any file, if the root has none', { '__init__.py': '', 'x/n.py': 'NODE_CLASS_MAPPINGS = {"a": 1}' }, ['a']],
    ['any file, without a root', { 'n.py': 'NODE_CLASS_MAPPINGS = {"a": 1}', 's.py': SCHEMA }, ['a', 'S']],
    [
      'node_list.json, if there is nothing else',
      { '__init__.py': 'x = 1', 'node_list.json': '{"a": "does it", "b": ""}' },
      ['a', 'b'],
    ],
  ])('are found by %s', async (_, texts, names) => {
    const found = await extract(texts);
    expect(namesOf(found).sort()).toEqual([...names].sort());
    expect(found).toMatchObject({ status: 'success', reason: '' });
  });

  it('are written as one array, in their order', async () => {
    const parser = await loadPython();
    for (const text of ['NODE_CLASS_MAPPINGS = {}', 'NODE_CLASS_MAPPINGS = {"b": 1, "a": 2, "b": 3}']) {
      const { json, nodes } = extractNodes(packageOf({ '__init__.py': text }), parser, 30_000);
      expect(JSON.parse(json)).toEqual(nodes);
    }
    parser.delete();
  });

  it('leave out a file that the root does not reach', async () => {
    const texts = { '__init__.py': 'NODE_CLASS_MAPPINGS = {"a": 1}', 'tests/t.py': 'NODE_CLASS_MAPPINGS = {"b": 1}' };
    expect(namesOf(await extract(texts))).toEqual(['a']);
  });

  it('take any file too where the mapping of the root is known in part', async () => {
    const texts = {
      '__init__.py': 'NODE_CLASS_MAPPINGS = {"a": 1, **find()}',
      'n.py': 'NODE_CLASS_MAPPINGS = {"b": 1}',
    };
    expect(namesOf(await extract(texts))).toEqual(['a', 'b']);
  });

  it.each<[string, Record<string, string>, 'success' | 'failed', RegExp]>([
    ['a mapping that is provably empty', { '__init__.py': 'NODE_CLASS_MAPPINGS = {}' }, 'success', /^$/],
    ['a mapping that is not', { '__init__.py': 'NODE_CLASS_MAPPINGS = find()' }, 'failed', /only known at run time/],
    ['no mapping', { '__init__.py': 'x = 1' }, 'failed', /binds no NODE_CLASS_MAPPINGS/],
    ['no Python', { 'pyproject.toml': '' }, 'failed', /no Python file/],
    ['syntax errors', { '__init__.py': 'NODE_CLASS_MAPPINGS = {}\nx = = (' }, 'failed', /syntax errors/],
  ])('are none with %s', async (_, texts, status, reason) => {
    const found = await extract(texts);
    expect(found).toMatchObject({ status, nodes: [] });
    expect(found.reason).toMatch(reason);
  });

  it('are none with a damaged file alone, and the reason names it', async () => {
    const damage = [{ path: 'pack/nodes.py', problem: '' }];
    const { status, reason } = extractNodes({ ...packageOf({}), damage }, await loadPython(), 1_000);
    expect([status, reason]).toEqual([
      'failed',
      '"pack/nodes.py" cannot be read: its bytes are not those that the archive declares.',
    ]);
  });
});
