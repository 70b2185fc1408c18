import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateWorkflow } from '../check-workflow/validate-workflow.js';
import type { WorkflowReport } from '../check-workflow/validate-workflow.js';
import type { JsonObject } from '../json/json-value.js';
import { addClasses } from './add-classes.js';
import type { DescribedClass } from './add-classes.js';
import { loadCatalogue } from './load-catalogue.js';

const ENGINE = loadCatalogue({
  Make: {
    input: { required: { width: ['INT', { min: 1, max: 64 }] } },
    output: ['IMAGE', 'MASK'],
    is_input_list: false,
  },
  Save: { input: { required: { images: ['IMAGE'] } }, output: [], output_node: true, is_input_list: false },
});
const IMAGE = ['1', 0];
const MAKE = { class_type: 'Make', inputs: { width: 8 } };

function described(groups: object | string, more: Partial<DescribedClass> = {}): DescribedClass {
  const inputTypes = typeof groups === 'string' ? groups : JSON.stringify(groups);
  return { name: 'Blur', inputTypes, returnTypes: '["IMAGE"]', outputNode: false, unknown: [], ...more };
}

/** An image, a node of the package, and an output node. */
function graphOf(inputs: JsonObject, slot = 0): JsonObject {
  return {
    '1': MAKE,
    '2': { class_type: 'Blur', inputs },
    '3': { class_type: 'Save', inputs: { images: ['2', slot] } },
  };
}
const judged = (graph: JsonObject, ...classes: DescribedClass[]): WorkflowReport =>
  validateWorkflow(graph, addClasses(ENGINE, classes));
/** The fields with problems of the package's node. */
const fields = (report: WorkflowReport, id = '2'): string[] =>
  (report.nodeErrors[id] ?? []).map(({ field, reason }) => `${field} ${reason}`);

describe('a class of a package', () => {
  const blur = described({
    required: { image: ['IMAGE'], radius: ['INT', { min: 1, max: 31 }], mode: [['fast', 'fine']] },
    optional: { kind: ['COMBO', { options: ['a', 'b'] }], seed: ['INT', { max: 18446744073709551615n.toString() }] },
  });

  it('is checked as one of the engine', () => {
    const good = { image: IMAGE, radius: 3, mode: 'fine', kind: 'b' };
    expect(judged(graphOf(good), blur)).toMatchObject({ graphProblem: null, nodeErrors: {}, nodesTotal: 3 });
    const bad = { radius: 32, mode: 'other', kind: 'c' };
    expect(fields(judged(graphOf(bad), blur))).toEqual([
      'image missing_input',
      'kind value_not_in_list',
      'mode value_not_in_list',
      'radius value_above_max',
    ]);
    expect(fields(judged(graphOf({ ...good, image: ['1', 1] }), blur))).toEqual(['image type_mismatch']);
    expect(fields(judged(graphOf(good, 1), blur), '3')).toEqual(['images link_slot_out_of_range']);
  });

  it('keeps the exact bounds of the source', () => {
    const { classes } = addClasses(ENGINE, [
      described('{"required": {"seed": ["INT", {"max": 18446744073709551615}]}}'),
    ]);
    expect(classes.get('Blur')!.inputs[0]!.max).toBe(2n ** 64n - 1n);
  });

  it('is not known without the package', () => {
    expect(fields(judged(graphOf({})))).toEqual(['class_type unknown_node_class']);
  });

  it('does not replace one of the engine, nor one of a package before', () => {
    const other = described({ required: { more: ['MASK'] } }, { name: 'Make' });
    const { classes } = addClasses(ENGINE, [other, blur, described({}, { name: 'Blur' })]);
    expect(classes.get('Make')).toBe(ENGINE.classes.get('Make'));
    expect(classes.get('Blur')!.inputs).toHaveLength(5);
    expect(ENGINE.classes.has('Blur')).toBe(false);
  });

  it('has none of the checks that the engine has in code for a class of its name', () => {
    const loader = described({ required: { image: [['a.png'], { image_upload: true }] } }, { name: 'LoadImage' });
    expect(addClasses(ENGINE, [loader]).classes.get('LoadImage')!.rule).toBeNull();
  });
});

describe('what is not known of a class', () => {
  const unknown = ['input_types.required.model'];

  it('is not checked: an input, whether it is there, its type, its choices', () => {
    for (const spec of [null, [null], [[]], [['a', null]], ['INT', null]]) {
      const one = described({ required: { model: spec, radius: ['INT', { min: 1 }] } }, { unknown });
      for (const model of ['any', 7, null, IMAGE, ['1', 1], { a: 1 }]) {
        expect(judged(graphOf({ model, radius: 1 }), one).nodeErrors).toEqual({});
      }
      expect(fields(judged(graphOf({ radius: 0 }), one))).toEqual(['radius value_below_min']);
      expect(fields(judged(graphOf({ model: ['9', 0], radius: 1 }), one))).toEqual(['model link_source_not_found']);
    }
  });

  it('is not checked: an option, beside those that are known', () => {
    const one = described(
      { required: { n: ['INT', { min: null, max: 9 }], mode: ['COMBO', { options: [] }] } },
      { unknown: ['input_types.required.n.min', 'input_types.required.mode.options'] },
    );
    expect(judged(graphOf({ n: -1000, mode: 'any' }), one).nodeErrors).toEqual({});
    expect(fields(judged(graphOf({ n: 10 }), one))).toEqual(['mode missing_input', 'n value_above_max']);
  });

  it('is not checked: the other inputs of a group, and of the class', () => {
    const group = described({ required: { n: ['INT', { max: 9 }] } }, { unknown: ['input_types.required'] });
    const whole = described('', { unknown: ['input_types'] });
    for (const one of [group, whole]) {
      const some: JsonObject[] = [{}, { other: IMAGE }, { other: 'x', list: [1, 2, 3] }];
      for (const held of some) {
        expect(judged(graphOf(held), one).nodeErrors).toEqual({});
      }
    }
    expect(fields(judged(graphOf({ n: 10 }), group))).toEqual(['n value_above_max']);
    const behind = { ...graphOf({ other: IMAGE }), '1': { class_type: 'Make', inputs: { width: 65 } } };
    for (const one of [group, whole]) expect(fields(judged(behind, one), '1')).toEqual(['width value_above_max']);
    expect(judged(graphOf({ other: IMAGE }), whole).nodesTotal).toBe(3);
  });

  it('is not checked: a type of an output, and which outputs there are', () => {
    const typed = (returnTypes: string, path: string): DescribedClass =>
      described({}, { returnTypes, unknown: [path] });
    const mask = described({}, { returnTypes: '["MASK"]' });
    expect(fields(judged(graphOf({}), mask), '3')).toEqual(['images type_mismatch']);
    expect(judged(graphOf({}), typed('[null]', 'return_types.0')).nodeErrors).toEqual({});
    expect(fields(judged(graphOf({}, 1), typed('[null]', 'return_types.0')), '3')).toHaveLength(1);
    expect(judged(graphOf({}, 7), typed('', 'return_types')).nodeErrors).toEqual({});
  });

  it('is not checked: whether it is an output', () => {
    const one = described({ required: { image: ['IMAGE'] } }, { unknown: ['output_node'] });
    const alone = { '1': MAKE, '2': { class_type: 'Blur', inputs: { image: IMAGE } } };
    expect(judged(alone, one)).toMatchObject({ graphProblem: null, nodesTotal: 2, outputNodes: ['2'] });
    expect(judged(alone, described({ required: { image: ['IMAGE'] } })).graphProblem).toEqual({ case: 'no_output' });
    const beside = { ...alone, '3': { class_type: 'Save', inputs: { images: IMAGE } } };
    expect(judged(beside, one)).toMatchObject({ graphProblem: null, nodesTotal: 3, outputNodes: ['3'] });
  });

  it('is not checked: a class that is not described, where packages have others', () => {
    const graph = graphOf({ image: IMAGE, list: [] }, 3);
    expect(validateWorkflow(graph, addClasses(ENGINE, [], false))).toMatchObject({
      graphProblem: null,
      nodeErrors: {},
      nodesTotal: 3,
    });
    const wrong = { ...graph, '1': { class_type: 'Make', inputs: { width: 65 } } };
    expect(fields(validateWorkflow(wrong, addClasses(ENGINE, [], false)), '1')).toEqual(['width value_above_max']);
  });

  it('of an input of files lets any name stand, and an asset answer it', () => {
    const one = described(
      { required: { file: [[], { image_upload: true }] } },
      { unknown: ['input_types.required.file'] },
    );
    const { nodeErrors, namedFiles } = judged(graphOf({ file: 'mine.png' }), one);
    expect(nodeErrors).toEqual({});
    expect(namedFiles).toMatchObject([{ name: 'mine.png', reasonsIfUnknown: [] }]);
  });
});

const json = fc.jsonValue() as fc.Arbitrary<JsonObject[string]>;
const name = fc.oneof(fc.constantFrom('a', '__proto__', 'constructor', 'x.y', ''), fc.string());
const spec = fc.oneof(
  json,
  fc.tuple(fc.oneof(fc.constantFrom('INT', 'COMBO', 'COMFY_AUTOGROW_V3', 'COMFY_DYNAMICCOMBO_V3', null), json), json),
);
const group = fc.dictionary(name, spec, { maxKeys: 5 });

describe('any description', () => {
  it('compiles, however odd it is, and leaves the classes of the engine as they are', () => {
    const text = fc.oneof(
      fc.string(),
      fc.record({ required: group, optional: group }).map((one) => JSON.stringify(one)),
    );
    const one = fc.record({
      name: fc.oneof(fc.constantFrom('Make', 'Blur'), name),
      inputTypes: text,
      returnTypes: fc.oneof(
        fc.string(),
        json.map((types) => JSON.stringify(types)),
      ),
      outputNode: fc.boolean(),
      unknown: fc.array(
        fc.oneof(
          fc.string(),
          name.map((input) => `input_types.required.${input}`),
        ),
      ),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 4 }), json, (classes, held) => {
        const catalogue = addClasses(ENGINE, classes);
        for (const [engineName, own] of ENGINE.classes) expect(catalogue.classes.get(engineName)).toBe(own);
        for (const { name: described } of classes) {
          const graph = { '1': { class_type: described, inputs: { a: held } } };
          expect(validateWorkflow(graph, catalogue).nodeErrors['1'] ?? []).not.toContainEqual(
            expect.objectContaining({ reason: 'unknown_node_class' }),
          );
        }
      }),
    );
  });

  it('has no problem at an input whose path is not known, whatever stands there', () => {
    const value = json.filter((one) => !Array.isArray(one));
    fc.assert(
      fc.property(
        spec,
        fc.option(value, { nil: undefined }),
        fc.constantFrom('required', 'optional'),
        (shape, held, at) => {
          const one = described({ [at]: { model: shape } }, { unknown: [`input_types.${at}.model`] });
          const inputs: JsonObject = held === undefined ? {} : { model: held };
          const problems = fields(judged(graphOf(inputs), one)).filter((text) => text.startsWith('model '));
          expect(problems).toEqual([]);
        },
      ),
    );
  });
});
