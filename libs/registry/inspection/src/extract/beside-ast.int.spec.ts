import { spawnSync } from 'node:child_process';
import { freshSeed as seed, Random } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { extract, namesOf } from './package-of.fixture.js';

const PACKAGES = 40;

/** Prints the class names that `ast` finds, of packages as JSON on standard input. */
const BY_AST = `
import ast, json, sys
M = 'NODE_CLASS_MAPPINGS'
def keys(node):
    if isinstance(node, ast.Dict):
        return [k.value for k in node.keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
    return []
def names(texts):
    found = set()
    for text in texts.values():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    if isinstance(target, ast.Name) and target.id == M: found.update(keys(node.value))
                    if isinstance(target, ast.Subscript) and getattr(target.value, 'id', '') == M: found.add(target.slice.value)
            if isinstance(node, ast.Call) and getattr(node.func, 'attr', '') == 'update' and getattr(node.func.value, 'id', '') == M:
                for arg in node.args: found.update(keys(arg))
            if isinstance(node, ast.FunctionDef) and node.name == 'define_schema':
                for call in ast.walk(node):
                    if isinstance(call, ast.Call) and getattr(call.func, 'attr', '') == 'Schema':
                        found.update(k.value.value for k in call.keywords if k.arg == 'node_id')
    return sorted(found)
print(json.dumps([names(texts) for texts in json.load(sys.stdin)]))
`;

describe('beside the ast of Python', () => {
  it('extraction finds the same classes in random packages', async () => {
    const random = new Random(seed);
    const packages = Array.from({ length: PACKAGES }, () => randomPackage(random));
    const { stdout, stderr } = spawnSync('python3', ['-c', BY_AST], {
      input: JSON.stringify(packages),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const expected = JSON.parse(stdout) as string[][];
    expect(expected.flat().length).toBeGreaterThan(PACKAGES);
    for (const [index, texts] of packages.entries()) {
      expect(namesOf(await extract(texts)).sort(), `seed ${seed}, package ${index}`).toEqual(expected[index]);
    }
  });
});

/** Modules with mappings and schemas, which the root merges in one of several ways. */
function randomPackage(random: Random): Record<string, string> {
  const texts: Record<string, string> = {};
  const merges: string[] = [];
  for (let index = 0; index < 1 + random.below(5); index += 1) {
    const folder = ['', 'nodes/', 'nodes/deep/'][random.below(3)] ?? '';
    texts[`${folder}m${index}.py`] = randomModule(random, index);
    const from = `.${folder.replaceAll('/', '.')}m${index}`;
    const indent = random.below(2) === 0 ? '' : '    ';
    const lines = [`from ${from} import NODE_CLASS_MAPPINGS as M${index}`, `NODE_CLASS_MAPPINGS.update(M${index})`];
    const other = [`from ${from} import *`];
    const merge = (index === 0 && random.below(2) === 0 ? other : lines).map((line) => `${indent}${line}\n`).join('');
    merges.push(indent === '' ? merge : `try:\n${merge}except ImportError:\n    pass\n`);
  }
  const start = merges[0]?.includes('*') ? '' : 'NODE_CLASS_MAPPINGS = {}\n';
  return {
    '__init__.py': `${start}${merges.join('')}NODE_CLASS_MAPPINGS["root ${random.below(1000)}"] = object\n`,
    ...texts,
  };
}

function randomModule(random: Random, index: number): string {
  const names = Array.from({ length: 1 + random.below(6) }, (_, item) => `Node ${index}-${item}`);
  const classes = names.map((_, item) => randomClass(random, item, item > 0 && random.below(3) === 0));
  const literal = names.map((name, item) => `    ${JSON.stringify(name)}: C${item},\n`).join('');
  const assigned = names.map((name, item) => `NODE_CLASS_MAPPINGS[${JSON.stringify(name)}] = C${item}\n`).join('');
  const mapping = [
    `NODE_CLASS_MAPPINGS = {\n${literal}}\n`,
    `NODE_CLASS_MAPPINGS: dict = {}\nNODE_CLASS_MAPPINGS.update({\n${literal}})\n`,
    `NODE_CLASS_MAPPINGS = {}\n${assigned}`,
  ];
  const schema = `class S(io.ComfyNode):
    @classmethod
    def define_schema(cls):
        return io.Schema(node_id="Schema ${index}", inputs=[io.Int.Input("n")], outputs=[])
`;
  return `import os\nfrom comfy_api.latest import io\n${classes.join('')}${random.below(2) === 0 ? schema : ''}${mapping[random.below(3)] ?? ''}`;
}

function randomClass(random: Random, index: number, isDerived: boolean): string {
  const types = ['IMAGE', 'MASK', 'INT'].slice(0, 1 + random.below(3)).map((type) => `"${type}",`);
  return `class C${index}${isDerived ? `(C${random.below(index)})` : ''}:
    RETURN_TYPES = (${types.join(' ')})
    FUNCTION = "run"
    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"n": ("INT", {"default": ${random.below(100)}}), "file": (os.listdir("."),)}}
    def run(self, n, file):
        if n > ${random.below(100)}:
            return [x for x in range(n)]
        return (None,)
`;
}
