import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../catalogue/load-catalogue.js';
import { NODE_ERROR_REASONS } from '../check-workflow/node-problems.js';
import type { JsonObject } from '../json/json-value.js';
import { validateWorkflow } from '../check-workflow/validate-workflow.js';
import { explainProblem } from './explain-problem.js';
import { NearestName } from './nearest-name.js';

const catalogue = loadCatalogue(
  gunzipSync(readFileSync(new URL('../../recorded/object_info-0.33.0.json.gz', import.meta.url))),
);

/** Every problem of a workflow as a sentence, by `node field`. */
function explained(workflow: JsonObject): Record<string, string> {
  const { nodeErrors } = validateWorkflow(workflow, catalogue);
  const told = Object.entries(nodeErrors).flatMap(([id, problems]) =>
    problems.map((problem) => [`${id} ${problem.field}`, explainProblem(workflow, catalogue, id, problem)] as const),
  );
  return Object.fromEntries(told);
}

describe('a problem in words', () => {
  it('says what is wrong and what would be right', () => {
    const scale = { image: ['gone', 0], upscale_method: 'bilinaer', width: -1, height: 99_999, crop: ['1', 3] };
    expect(
      explained({
        '1': { class_type: 'LoadImagee', inputs: {} },
        '2': { class_type: 'ImageScale', inputs: scale },
        '3': { class_type: 'SaveImage', inputs: { images: ['2', 1] } },
        '4': { class_type: 'MaskToImage', inputs: { mask: ['2', 0] } },
        '5': { class_type: 'SaveImage', inputs: { images: ['4', 0], filename_prefix: 'x' } },
        '6': { class_type: 'EmptyImage', inputs: { width: 'wide', height: 8, batch_size: 1 } },
        '7': { class_type: 'PreviewImage', inputs: { images: ['6', 0] } },
      }),
    ).toEqual({
      '1 class_type': 'The engine has no node class "LoadImagee". Did you mean "LoadImage"?',
      '2 height': 'The value 99999 is above the maximum of 16384.',
      '2 image': 'The link leads to node "gone", which the workflow does not have.',
      '2 upscale_method':
        'The value "bilinaer" is not in the list. Did you mean "bilinear"? The input takes one of "nearest-exact", "bilinear", "area", "bicubic", "lanczos".',
      '2 width': 'The value -1 is below the minimum of 0.',
      '3 filename_prefix': 'The input "filename_prefix" is missing: it takes a text.',
      '3 images': 'The link leads to slot 1, and "ImageScale" has one output, slot 0.',
      '4 mask': 'The input takes "MASK", and the link gives "IMAGE".',
      '6 color': 'The input "color" is missing: it takes a whole number from 0 to 16777215.',
      '6 width': 'The value "wide" has the wrong type: the input takes a whole number from 1 to 16384.',
    });
  });

  it('tells a number that no double holds', () => {
    const scale = { image: ['1', 0], upscale_method: 'area', width: Infinity, height: -Infinity, crop: 'disabled' };
    const told = explained({
      '1': { class_type: 'LoadImage', inputs: {} },
      '2': { class_type: 'ImageScale', inputs: scale },
      '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'x' } },
    });
    expect(told['2 width']).toMatch(/^A number above 1\.8e308 /);
    expect(told['2 height']).toMatch(/^A number below -1\.8e308 /);
  });

  it('names a file that is not found, and says of another name why it can be none', () => {
    const load = (image: string): string =>
      explainProblem({ n: { class_type: 'LoadImage', inputs: { image } } }, catalogue, 'n', {
        field: 'image',
        reason: 'value_not_in_list',
      });
    expect(load('photos/lake.jgp [input]')).toBe('No asset or input file is named photos/lake.jgp.');
    expect(load('x'.repeat(500))).toBe(`No asset or input file is named ${'x'.repeat(60)}….`);
    expect(load('../lake.jpg')).toBe(
      '"../lake.jpg" does not name an input file: the name must be a relative path with "/" and without "..".',
    );
  });

  it('names the input that was misspelt beside the one that is missing', () => {
    const told = explained({
      '1': { class_type: 'LoadImage', inputs: { imgae: 'lake.jpg', upload: 'image' } },
      '2': { class_type: 'ImageInvert', inputs: { unheard: ['1', 0] } },
      '3': { class_type: 'SaveImage', inputs: { images: ['1', 0], filenameprefix: 'x' } },
      '4': { class_type: 'PreviewImage', inputs: { images: ['2', 0] } },
    });
    expect(told['1 image']).toMatch(
      /^The input "image" is missing: it takes the name of an asset or input file\. "imgae" is not an input of "LoadImage"\. Did you mean "image"\?$/,
    );
    expect(told['2 image']).toBe('The input "image" is missing: it takes a link to "IMAGE".');
    expect(told['3 filename_prefix']).toBe(
      'The input "filename_prefix" is missing: it takes a text. "filenameprefix" is not an input of "SaveImage". Did you mean "filename_prefix"?',
    );
  });

  it('names the nearest file that the engine lists', () => {
    const small = loadCatalogue(readFileSync(new URL('../../recorded/small-engine.json', import.meta.url)));
    const load = (className: string, input: string, name: string): string =>
      explainProblem({ n: { class_type: className, inputs: { [input]: name } } }, small, 'n', {
        field: input,
        reason: 'value_not_in_list',
      });
    expect(load('LoadImage', 'image', 'photo.pgn')).toBe(
      'No asset or input file is named photo.pgn. Did you mean photo.png?',
    );
    expect(load('LoadImage', 'image', 'elsewhere.png')).toBe('No asset or input file is named elsewhere.png.');
    expect(load('Model', 'model_file', 'x.glb')).toBe('No asset or input file is named x.glb.');
  });

  it('lists a few of many options, and knows the inputs that a choice brings along', () => {
    const sampler = { class_type: 'KSamplerSelect', inputs: { sampler_name: 'x' } };
    const resize = {
      class_type: 'ResizeImageMaskNode',
      inputs: { input: 'x', resize_type: 'scale dimensions', 'resize_type.width': -1, scale_method: 'area' },
    };
    const told = explained({
      s: sampler,
      r: resize,
      o: { class_type: 'PreviewAny', inputs: { source: ['s', 0] } },
      p: { class_type: 'PreviewAny', inputs: { source: ['r', 0] } },
    });
    expect(told['s sampler_name']).toMatch(
      /^The value "x" is not in the list\. The input takes one of ("[^"]+", ){5}"[^"]+" and \d+ more\.$/,
    );
    expect(told['r resize_type.width']).toBe('The value -1 is below the minimum of 0.');
  });

  it('says that the engine has no file where its list is empty', () => {
    const loader = { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'sd15.safetensors' } };
    const told = explained({
      a: loader,
      b: { ...loader, inputs: {} },
      c: { class_type: 'PreviewAny', inputs: { source: ['a', 0] } },
      d: { class_type: 'PreviewAny', inputs: { source: ['b', 0] } },
    });
    expect(told['a ckpt_name']).toBe(
      '"sd15.safetensors" cannot be chosen: the engine has no file for "ckpt_name". ' +
        'Add the file to the engine. The built-in engine has no models.',
    );
    expect(told['b ckpt_name']).toBe(
      'The input "ckpt_name" is missing: it takes the name of a file, and the engine has none.',
    );
  });

  it('says that a whole graph is wrapped, and how to unwrap it', () => {
    const graph = { '1': { class_type: 'EmptyImage', inputs: {} } };
    expect(explained({ prompt: graph })['prompt class_type']).toBe(
      'This is not a node: the whole workflow is wrapped in {"prompt": …}. Remove the wrapper and keep its content.',
    );
    expect(explained({ a: {} })['a class_type']).toBe(
      'The node has no class_type. Set class_type to the name of a class.',
    );
  });

  it('names the nearest node, where ids are long enough to be mistyped', () => {
    const link = (id: string): Record<string, string> =>
      explained({
        source: { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
        '7': { class_type: 'PreviewImage', inputs: { images: [id, 0] } },
      });
    expect(link('soruce')['7 images']).toBe(
      'The link leads to node "soruce", which the workflow does not have. Did you mean "source"?',
    );
    expect(link('8')['7 images']).toBe('The link leads to node "8", which the workflow does not have.');
  });

  it('has sentences for every reason, whatever the node is, and repeats no free text and no credential', () => {
    const workflow: JsonObject = {
      n: { class_type: 'SaveImage', inputs: { filename_prefix: 'canary', images: 'canary' } },
      k: { class_type: 'Partner', inputs: { api_key: 'canary' } },
      x: 5,
      y: { inputs: [] },
    };
    const partner = { input: { required: { api_key: ['INT', { min: 1, max: 2 }] } }, output: [] };
    const { classes } = loadCatalogue({ Partner: partner });
    const partnered = { ...catalogue, classes: new Map([...catalogue.classes, ...classes]) };
    for (const reason of NODE_ERROR_REASONS) {
      for (const [id, field] of [
        ['n', 'filename_prefix'],
        ['n', 'images'],
        ['n', 'nothing'],
        ['k', 'api_key'],
        ['x', ''],
        ['y', 'inputs'],
        ['__proto__', 'constructor'],
      ] as const) {
        const words = explainProblem(workflow, partnered, id, { field, reason });
        expect(words).toMatch(/^[A-Z"].{5,300}[.?]$/);
        expect(words).not.toContain('canary');
      }
    }
  });
});

describe('the nearest name', () => {
  it.each([
    ['ksampler', 'KSampler'],
    ['SaveImge', 'SaveImage'],
    ['Save Image', 'SaveImage'],
    ['Unheard-of pack node', null],
    ['', null],
    ['x'.repeat(100_000), null],
  ])('of %s is %s', (wanted, nearest) => {
    expect(new NearestName(catalogue.classes.keys()).of(wanted)).toBe(nearest);
  });
});
