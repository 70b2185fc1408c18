import { describe, expect, it } from 'vitest';
import { onlyNode } from './package-of.fixture.js';

const MAPPING = '\nNODE_CLASS_MAPPINGS = {"A": A}\n';

describe('a classic class', () => {
  it('has its attributes, those of its bases, and its inputs in the order of the source', async () => {
    const base = 'class B:\n    CATEGORY = "x" + "/y"\n    FUNCTION = "run"\n    DESCRIPTION = """two\nlines"""\n';
    const node = await onlyNode(
      `from .b import B
import folder_paths
BIG = 0xffffffffffffffff
class A(B):
    RETURN_TYPES = ("IMAGE", "MASK")
    OUTPUT_IS_LIST = (True,)
    OUTPUT_NODE = True
    DEPRECATED = True
    @classmethod
    def INPUT_TYPES(s):
        return {
            "required": {"model": (folder_paths.get_filename_list("loras"),), "n": ("INT", {"max": BIG, "step": f()})},
            "optional": {"b": (["x", "y"],), "a": ("FLOAT", {"default": 1.0, "min": -0.5})},
            "hidden": {"id": "UNIQUE_ID"},
        }${MAPPING}`,
      { 'b.py': base },
    );
    expect(node).toEqual({
      wf_node_name: 'A',
      category: 'x/y',
      description: 'two\nlines',
      function: 'run',
      deprecated: true,
      experimental: false,
      input_types:
        '{"required": {"model": [[]], "n": ["INT", {"max": 18446744073709551615, "step": null}]}, ' +
        '"optional": {"b": [["x", "y"]], "a": ["FLOAT", {"default": 1.0, "min": -0.5}]}, "hidden": {"id": "UNIQUE_ID"}}',
      return_types: '["IMAGE", "MASK"]',
      return_names: '["IMAGE", "MASK"]',
      output_is_list: [true, false],
      output_node: true,
      policy: 'WfNodePolicyActive',
      unknown: ['input_types.required.model', 'input_types.required.n.step'],
    });
  });

  it('that cannot be resolved is all unknown', async () => {
    const node = await onlyNode('NODE_CLASS_MAPPINGS = {"A": somewhere.A}');
    expect(node).toMatchObject({
      category: '',
      input_types: '',
      return_types: '',
      output_is_list: [],
      output_node: false,
    });
    expect(node.unknown).toHaveLength(10);
  });

  it.each<[string, string, string[]]>([
    ['an attribute', 'CATEGORY = find()', ['category']],
    [
      'an attribute that branches give different values',
      'if x:\n        CATEGORY = "a"\n    else:\n        CATEGORY = "b"',
      ['category'],
    ],
    ['an attribute of all types', 'RETURN_TYPES = find()', ['return_types', 'return_names', 'output_is_list']],
    ['one of the types', 'RETURN_TYPES = ("A", find())', ['return_types.1', 'return_names.1']],
    ['a name bound twice', 'C = "a"\n    if x: C = "b"\n    CATEGORY = C', ['category']],
  ])('says that %s is not known', async (_, line, unknown) => {
    const body = 'FUNCTION = "f"\n    RETURN_TYPES = ()\n    def INPUT_TYPES(s): return {}\n';
    const node = await onlyNode(`class A:\n    ${body}    ${line}\n${MAPPING}`);
    expect([...node.unknown].sort()).toEqual([...unknown].sort());
  });

  it('may have attributes of a base from outside of the archive: they are not known', async () => {
    const node = await onlyNode(
      `from nodes import PreviewImage\nclass A(PreviewImage):\n    CATEGORY = "x"\n${MAPPING}`,
    );
    expect(node.category).toBe('x');
    expect(node.unknown).toEqual(expect.arrayContaining(['function', 'return_types', 'input_types', 'output_node']));
  });

  it('takes inputs from super() and from changes of the dict', async () => {
    const node = await onlyNode(`class B:
    def INPUT_TYPES(s): return {"required": {"a": ("INT",)}}
class A(B):
    def INPUT_TYPES(s):
        types = super().INPUT_TYPES()
        types["required"]["b"] = ("FLOAT",)
        if x:
            types["required"]["c"] = ("MASK",)
        return types
${MAPPING}`);
    expect(node.input_types).toBe('{"required": {"a": ["INT"], "b": ["FLOAT"], "c": ["MASK"]}}');
    // Whether it has `c` is decided at run time.
    expect(node.unknown).toContain('input_types.required');
  });
});

describe('a class with a schema', () => {
  it('has the fields of the schema', async () => {
    const node = await onlyNode(`from comfy_api.latest import io
class A(io.ComfyNode):
    @classmethod
    def define_schema(cls):
        return io.Schema(
            node_id="A", category="c", description="d", is_output_node=True, is_experimental=True,
            inputs=[
                io.Int.Input("n", default=1, min=0, force_input=True),
                io.Custom("FOO").Input("foo", optional=True),
                io.MultiType.Input("m", [io.Image, io.Mask]),
                io.Combo.Input("mode", options=["a", "b"]),
                io.Combo.Input("file", options=find()),
            ],
            outputs=[io.Image.Output(), io.Latent.Output("id", "name", is_output_list=True)],
            hidden=[io.Hidden.unique_id])
`);
    expect(node).toMatchObject({
      category: 'c',
      description: 'd',
      function: 'execute',
      output_node: true,
      experimental: true,
    });
    expect(JSON.parse(node.input_types)).toEqual({
      required: {
        n: ['INT', { default: 1, min: 0, forceInput: true }],
        m: ['IMAGE,MASK', {}],
        mode: ['COMBO', { options: ['a', 'b'] }],
        file: ['COMBO', { options: [] }],
      },
      optional: { foo: ['FOO', {}] },
      hidden: { unique_id: ['UNIQUE_ID'] },
    });
    expect(node).toMatchObject({ return_types: '["IMAGE", "LATENT"]', return_names: '["IMAGE", "name"]' });
    expect(node.output_is_list).toEqual([false, true]);
    expect(node.unknown).toEqual(['input_types.required.file.options']);
  });
});
