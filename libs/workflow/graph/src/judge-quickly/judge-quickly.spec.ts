import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../catalogue/load-catalogue.js';
import { DEFAULT_GRAPH_LIMITS } from '../check-workflow/graph-limits.js';
import { unknownClassErrors } from '../check-workflow/node-problems.js';
import { validateWorkflow } from '../check-workflow/validate-workflow.js';
import type { JsonObject } from '../json/json-value.js';
import { parseSubmission } from '../parse-submission/parse-submission.js';
import { DEFAULT_SUBMISSION_LIMITS } from '../parse-submission/submission-limits.js';
import { judgeQuickly, type QuickVerdict } from './judge-quickly.js';

const recorded = (name: string): Buffer => gunzipSync(readFileSync(new URL(`../../recorded/${name}`, import.meta.url)));
const catalogues = ['0.33.0', '0.3.64'].map((version) => loadCatalogue(recorded(`object_info-${version}.json.gz`)));
const [newer] = catalogues;
const limits = { graph: DEFAULT_GRAPH_LIMITS, submission: DEFAULT_SUBMISSION_LIMITS };
const seed = Number(process.env.HEDDLE_TEST_SEED ?? Date.now() % 2 ** 31);

/**
 * What the full check says, in the words of the quick one: null unless nothing is wrong but classes that nobody has, and nothing is
 * to be looked up.
 */
function fully(body: Uint8Array, catalogue = newer!): QuickVerdict | null {
  const parsed = parseSubmission(body);
  if (!parsed.ok) return null;
  const report = validateWorkflow(parsed.workflow, catalogue, parsed);
  const { graphProblem, nodeErrors, namedFiles, assetReferences, nodesTotal } = report;
  if (graphProblem !== null || namedFiles.length + assetReferences.length > 0) return null;
  if (parsed.credentials !== null || Object.keys(parsed.metadata).length > 0) return null;
  const unknownClasses = new Map(
    Object.keys(nodeErrors).map((id) => [id, String((parsed.workflow[id] as JsonObject).class_type)]),
  );
  if (JSON.stringify(unknownClassErrors(unknownClasses.keys())) !== JSON.stringify(nodeErrors)) return null;
  return { workflowSpan: parsed.workflowSpan, nodesTotal, unknownClasses };
}

const bodies = recorded('validation-cases.jsonl.gz')
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { raw?: string; workflow: unknown })
  .map(({ raw, workflow }) => Buffer.from(`{"workflow":${raw ?? JSON.stringify(workflow)}}`));

const scale = (from: string, more: object = {}): object => ({
  inputs: { image: [from, 0], upscale_method: 'bicubic', width: 8, height: 8, crop: 'center', ...more },
  class_type: 'ImageScale',
  _meta: { title: 'Größe \n "8"' },
});
const good = {
  '10': scale('n'),
  n: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
  out: { class_type: 'SaveImage', inputs: { images: ['10', 0], filename_prefix: 'a\\b"ü"' } },
};
const foreign = { class_type: '__proto__', inputs: {} };
const quickly = (workflow: object, text = JSON.stringify(workflow)): QuickVerdict | null =>
  judgeQuickly(Buffer.from(`{"workflow":${text}}`), newer!, limits);

describe('judging at a glance', () => {
  it('takes the plain graphs, as they are written with and without white space', () => {
    expect(quickly(good)).toMatchObject({ nodesTotal: 3 });
    const text = JSON.stringify({ workflow: good }, null, 2);
    expect(judgeQuickly(Buffer.from(text), newer!, limits)).toEqual(fully(Buffer.from(text)));
    expect(bodies.filter((body) => judgeQuickly(body, newer!, limits) !== null).length).toBeGreaterThan(50);
  });

  it('names the classes that the engine does not have, whether a link leads to them or not', () => {
    const strange = { class_type: 'Nobody', inputs: { a: ['n', 0], b: null } };
    const verdict = quickly({ ...good, '10': scale('s'), s: { ...strange, inputs: { a: ['n', 0] } }, '2': foreign });
    expect(verdict?.unknownClasses).toEqual(new Map(Object.entries({ '2': '__proto__', s: 'Nobody' })));
    expect(quickly({ ...good, s: strange })).toBeNull();
  });

  it('never judges what the full check would not, and says the same of it', () => {
    for (const catalogue of catalogues) {
      for (const body of bodies) {
        const verdict = judgeQuickly(body, catalogue, limits);
        if (verdict !== null) expect(verdict).toEqual(fully(body, catalogue));
      }
    }
  });

  it(`nor any mutilated text (seed ${seed})`, () => {
    const strange = Buffer.from(
      JSON.stringify({ workflow: { ...good, l: { ...foreign, inputs: { a: 1, b: ['n', 0] } } } }),
    );
    const plain = [...bodies.filter((body) => judgeQuickly(body, newer!, limits) !== null), strange];
    const byte = fc.oneof(fc.constantFrom(...Buffer.from('"[]{}:,0123456789.eE-+ \\tfnu')), fc.nat(255));
    fc.assert(
      fc.property(fc.constantFrom(...plain), fc.array(fc.tuple(fc.nat(), byte), { maxLength: 3 }), (body, changes) => {
        const changed = Buffer.from(body);
        for (const [at, value] of changes) changed[at % changed.length] = value;
        const verdict = judgeQuickly(changed, newer!, limits);
        if (verdict !== null) expect(verdict).toEqual(fully(changed));
      }),
      { seed, numRuns: 3_000 },
    );
  });

  it.each<[string, object]>([
    ['a number out of range', { ...good, '10': scale('n', { width: 16_385 }) }],
    ['a value that is not listed', { ...good, '10': scale('n', { crop: 'centre' }) }],
    ['an input that the class does not declare', { ...good, '10': scale('n', { extra: 1 }) }],
    ['a missing input', { ...good, out: { class_type: 'SaveImage', inputs: { images: ['n', 0] } } }],
    ['a link to nowhere', { ...good, '10': scale('m') }],
    ['a link of another type', { ...good, '10': scale('n', { width: ['n', 0] }) }],
    ['a slot that is not there', { ...good, '10': scale('n', { image: ['n', 1] }) }],
    ['a ring', { ...good, '10': scale('10') }],
    ['a class of its own rules', { ...good, l: { class_type: 'LoadImage', inputs: { image: 'grad8x6.png' } } }],
    ['a class that nobody has, and no output', { n: good.n, l: foreign }],
    ['a class that nobody has, beside another problem', { ...good, l: foreign, '10': scale('m') }],
    ['no output', { n: good.n }],
    ['nothing', {}],
  ])('leaves %s to the full check', (_, workflow) => {
    expect(quickly(workflow)).toBeNull();
  });

  it('leaves repeated keys, wherever they stand, to the full check', () => {
    const text = JSON.stringify({ ...good, l: { ...foreign, inputs: { x: 1 } } });
    expect(quickly({}, text)).not.toBeNull();
    for (const [found, repeated] of [
      ['"width":64', '"width":64,"width":64'],
      ['"class_type":"EmptyImage"', '"class_type":"EmptyImage","class_type":"EmptyImage"'],
      ['"n":{', '"n":{"class_type":"EmptyImage","inputs":{}},"n":{'],
      ['"_meta":{"title"', '"_meta":{"title":"","title"'],
      ['"x":1', '"x":1,"x":1'],
    ] as const) {
      expect(text).toContain(found);
      expect(quickly({}, text.replace(found, repeated))).toBeNull();
    }
    const twice = `{"workflow":${text},"workflow":${text}}`;
    expect(judgeQuickly(Buffer.from(twice), newer!, limits)).toBeNull();
  });

  it('keeps every limit', () => {
    const body = Buffer.from(JSON.stringify({ workflow: good }));
    for (const [graph, submission] of [
      [{ maxNodes: 2 }, {}],
      [{ maxLinks: 1 }, {}],
      [{ maxInputsPerNode: 4 }, {}],
      [{ maxNodeIdBytes: 2 }, {}],
      [{ maxStringBytes: 5 }, {}],
      [{}, { maxDepth: 4 }],
      [{}, { maxKeys: 10 }],
      [{}, { maxNumberLength: 1 }],
    ]) {
      const lowered = {
        graph: { ...limits.graph, ...graph },
        submission: { ...limits.submission, ...submission },
      };
      expect(judgeQuickly(body, newer!, lowered)).toBeNull();
    }
  });
});
