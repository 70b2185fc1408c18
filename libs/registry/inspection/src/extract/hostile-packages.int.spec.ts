import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { extract, namesOf } from './package-of.fixture.js';

const MAPPING = 'NODE_CLASS_MAPPINGS = {"a": 1}\n';

describe('a package that was made to hurt', () => {
  it.each<[string, Record<string, string>]>([
    ['50,000 brackets', { '__init__.py': `${MAPPING}from . import b`, 'b.py': `x = ${'['.repeat(50_000)}` }],
    ['one line of 4 MB', { '__init__.py': `from . import b\n${MAPPING}`, 'b.py': `x = [${'1,'.repeat(2_000_000)}]` }],
    ['a NUL', { '__init__.py': `x = "\0"\n${MAPPING}` }],
    ['a byte order mark', { '__init__.py': `\ufeff${MAPPING}` }],
    ['CR LF', { '__init__.py': MAPPING.replaceAll('\n', '\r\n') }],
    ['syntax errors before it', { '__init__.py': `def f(:\n  pass\nclass B\n  x = = 1\n${MAPPING}` }],
    ['a chain of 2,000 imports', chain(2_000)],
    [
      'values that double',
      { '__init__.py': `${MAPPING}x = ["a"]\n${'x = x + x\n'.repeat(100)}y = "a"\n${'y = y + y\n'.repeat(100)}` },
    ],
    ['dicts in dicts', { '__init__.py': `${MAPPING}x = {}\n${'x = {"a": x, "b": x}\n'.repeat(20_000)}` }],
    ['a function that calls itself', { '__init__.py': `${MAPPING}def f(x): return [f(x) for y in [1, 2, 3]]\nf(1)` }],
    [
      'nested loops',
      {
        '__init__.py': `${MAPPING}for a in range(9999):\n for b in range(9999):\n  for c in range(9999):\n   x = 1`,
      },
    ],
    ['a huge power', { '__init__.py': `${MAPPING}x = 9 ** 9 ** 9 ** 9` }],
    ['a class that derives from itself', { '__init__.py': `${MAPPING}class A(A): pass\nclass A(A): pass` }],
  ])('with %s ends with the class that can be read', async (_, texts) => {
    const start = performance.now();
    const found = await extract(texts, 10_000);
    expect(namesOf(found)).toContain('a');
    expect(performance.now() - start).toBeLessThan(15_000);
  });

  it('with a mapping of 100,000 entries has those that fit into 8 MiB, and says so', async () => {
    const entries = Array.from({ length: 100_000 }, (_, index) => `"${index}":A,`).join('');
    const found = await extract({ '__init__.py': `class A: pass\nNODE_CLASS_MAPPINGS={${entries}}` }, 60_000);
    const bytes = Buffer.byteLength(JSON.stringify(found.nodes));
    expect([found.status, bytes > 8 * 1024 ** 2 - 1_000, bytes <= 8 * 1024 ** 2]).toEqual(['success', true, true]);
    expect(found.reason).toContain('more than 8 MiB');
  });

  it('with 20,000 updates of its mapping has every class', async () => {
    const updates = Array.from({ length: 20_000 }, (_, index) => `NODE_CLASS_MAPPINGS.update({"${index}": A})\n`);
    const text = `class A: pass\nNODE_CLASS_MAPPINGS = {}\n${updates.join('')}`;
    const found = await extract({ '__init__.py': text }, 60_000);
    expect([found.nodes.length, found.reason]).toEqual([20_000, '']);
  });

  it('with a mapping that a bound cuts short has the entries before it', async () => {
    const entries = Array.from({ length: 200 }, (_, index) => `"${index}": x + x,`).join('');
    const text = `x = [1]\n${'x = x + x\n'.repeat(16)}NODE_CLASS_MAPPINGS = {${entries}}`;
    const found = await extract({ '__init__.py': text }, 60_000);
    expect([found.status, found.nodes.length > 100]).toEqual(['success', true]);
    expect(found.reason).toContain('steps to evaluate');
  });

  it('has no class of a name that nobody can store', async () => {
    const keys = `"${'n'.repeat(256)}": 1, "\\x00": 1, "\\ud800": 1, "": 1, "${'m'.repeat(255)}": 1`;
    const found = await extract({ '__init__.py': `NODE_CLASS_MAPPINGS = {${keys}}` }, 10_000);
    expect(namesOf(found)).toEqual(['m'.repeat(255)]);
    expect(found.reason).toContain('Names of classes have 1 to 255 characters');
  });

  it('of 2,000 files of noise has the one class', async () => {
    const noise = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [`n${index}.py`, 'x = [1, 2, 3]\n'.repeat(100)]),
    );
    expect(namesOf(await extract({ ...noise, 'z.py': MAPPING }))).toEqual(['a']);
  });

  it('whose import would write a file writes none', async () => {
    const path = `/tmp/heddle-extract-${process.pid}`;
    const found = await extract({ '__init__.py': `open("${path}", "w").write("x")\n${MAPPING}` });
    expect(namesOf(found)).toEqual(['a']);
    expect(existsSync(path)).toBe(false);
  });

  it('with too large texts of a class says that they are not known', async () => {
    const { nodes } = await extract({
      '__init__.py': `class A:
    def INPUT_TYPES(s):
        x = ["${'a'.repeat(1000)}"]
        ${'x = [x, x]\n        '.repeat(30)}
        return {"required": {"a": x}}
NODE_CLASS_MAPPINGS = {"a": A}`,
    });
    expect(nodes[0]).toMatchObject({ input_types: '' });
    expect(nodes[0]?.unknown).toContain('input_types');
  });
});

function chain(length: number): Record<string, string> {
  const modules = Array.from({ length }, (_, index) => [`m${index}.py`, `from .m${index + 1} import *\n`] as const);
  return { '__init__.py': 'from .m0 import *', ...Object.fromEntries(modules), [`m${length}.py`]: MAPPING };
}
