import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Catalogue } from '../catalogue/catalogue.js';
import { loadCatalogue } from '../catalogue/load-catalogue.js';
import type { JsonObject, JsonValue } from '../json/json-value.js';
import { withUnknownFiles } from './unknown-files.js';
import { validateWorkflow } from './validate-workflow.js';

const recorded = (version: string): Catalogue =>
  loadCatalogue(gunzipSync(readFileSync(new URL(`../../recorded/object_info-${version}.json.gz`, import.meta.url))));
const newer = recorded('0.33.0');
const older = recorded('0.3.64');

/** The problems of one node of a class, consumed by a node that accepts anything. */
function judge(catalogue: Catalogue, className: string, inputs: JsonObject, more: JsonObject = {}): string[] {
  const node = { class_type: className, inputs };
  const workflow = { n: node, out: { class_type: 'PreviewAny', inputs: { source: ['n', 0] } }, ...more };
  const errors = withUnknownFiles(validateWorkflow(workflow, catalogue), () => false);
  return (errors.n ?? []).map(({ field, reason }) => `${field}: ${reason}`);
}

describe('what the code of a class checks by itself', () => {
  it('is, for loaders, that the file exists, whatever kind of file the list of the input offers', () => {
    expect(judge(newer, 'LoadVideo', { file: 'grad8x6.png' })).toEqual([]);
    expect(judge(newer, 'LoadImageOutput', { image: 'grad8x6.png' })).toEqual([]);
    expect(judge(newer, 'LoadImageOutput', { image: 'gone.png' })).toEqual(['image: custom_validation_failed']);
    expect(judge(newer, 'LoadImageOutput', { image: '../x.png' })).toEqual(['image: custom_validation_failed']);
    expect(judge(newer, 'LoadLatent', { latent: 'gone.latent' })).toEqual([
      'latent: custom_validation_failed',
      'latent: value_not_in_list',
    ]);
  });

  it('is, for camera controls, that something moves; ranges are not compared', () => {
    const still = { horizontal_movement: 0, vertical_movement: 0, pan: 0, tilt: 0, roll: 0, zoom: 0 };
    const controls = (inputs: JsonObject): string[] =>
      judge(older, 'KlingCameraControls', { camera_control_type: 'simple', ...still, ...inputs });
    expect(controls({ zoom: 100 })).toEqual([]);
    expect(controls({})).toHaveLength(6);
    expect(controls({ pan: 'x' })).toEqual(['pan: invalid_value_type', 'source: validation_exception']);
    expect(controls({ horizontal_movement: 1, pan: ['n', 0] })).not.toContain('source: validation_exception');
  });

  it.each<[string, JsonValue, string[], string[]]>([
    ['a common ratio', '16:9', [], []],
    ['the widest ratio', '4:1', [], []],
    ['a ratio of two negative numbers', '-4:-1', [], ['source: validation_exception']],
    ['too wide a ratio', '5:1', ['aspect_ratio: custom_validation_failed'], ['source: validation_exception']],
    ['no ratio', 'wide', ['aspect_ratio: custom_validation_failed'], ['source: validation_exception']],
    ['nothing to divide by', '1:0', ['aspect_ratio: custom_validation_failed'], ['source: validation_exception']],
  ])('is the aspect ratio of one partner class, for %s', (_, ratio, expectedOlder, expectedNewer) => {
    const inputs = { prompt: '', prompt_upsampling: false, seed: 0, aspect_ratio: ratio, raw: false };
    expect(judge(older, 'FluxProUltraImageNode', inputs)).toEqual(expectedOlder);
    expect(judge(newer, 'FluxProUltraImageNode', inputs)).toEqual(expectedNewer);
  });

  it('is, for one conversion, the type of what arrives by link', () => {
    const convert = (id: JsonValue): string[] =>
      judge(
        newer,
        'TripoConversionNode',
        { original_model_task_id: id, format: 'GLTF' },
        { m: { class_type: 'EmptyImage' } },
      );
    expect(convert('constant')).toEqual(['inputs: validation_exception']);
    expect(convert(['m', 0])).toEqual(['input_types: custom_validation_failed']);
  });

  it('is nothing at all for a combo whose options the user writes', () => {
    expect(judge(newer, 'CustomCombo', { choice: 'anything' })).toEqual([]);
  });
});

describe('paths that the pages of an engine make', () => {
  it('stay inside its folders', () => {
    expect(judge(newer, 'RecordAudio', { audio: 'recorded.flac [temp]' })).toEqual([]);
    expect(judge(newer, 'RecordAudio', { audio: '/etc/hostname' })).toEqual(['audio: unsupported_value']);
    const scene = (image: JsonValue): string[] =>
      judge(newer, 'Load3D', { model_file: 'none', image, width: 8, height: 8 });
    expect(scene({ image: 'threed/a.png [temp]', mask: '' })).toEqual([]);
    expect(scene({ image: '../../secret.png [temp]' })).toEqual(['image: unsupported_value']);
    const file = { file: '../../etc/passwd' };
    expect(judge(older, 'OpenAIInputFiles', file)).toEqual(['file: unsupported_value']);
  });

  it('may be left empty in a text that only may name a file', () => {
    const paint = (mask: string): string[] =>
      judge(newer, 'Painter', { mask, width: 64, height: 64, bg_color: '#000' });
    expect(paint('')).toEqual([]);
    expect(paint('drawn.png')).toEqual([]);
    expect(paint('../drawn.png')).toEqual(['mask: unsupported_value']);
  });
});

describe('the classes whose check takes more than it judges', () => {
  const scene = (inputs: JsonObject): string[] =>
    judge(newer, 'Load3D', { model_file: 'none', image: {}, width: 8, height: 8, ...inputs });

  it('leave ranges and lists alone', () => {
    expect(scene({ width: 1_000_000 })).toEqual([]);
    expect(judge(newer, 'SelectModelDevice', { model: 'x', device: 'gpu:7' })).toEqual([]);
    expect(judge(newer, 'ModelAttentionBackend', { model: 'x', attention: 'mine' })).toEqual([]);
    expect(judge(newer, 'ModelAttentionBackend', { model: 'x' })).toEqual([
      'attention: missing_input',
      'source: validation_exception',
    ]);
  });

  it('fail on every input that they take', () => {
    expect(scene({ model_file: 'gone.glb' })).toEqual([
      'height: custom_validation_failed',
      'image: custom_validation_failed',
      'model_file: custom_validation_failed',
      'model_file: value_not_in_list',
      'width: custom_validation_failed',
    ]);
    expect(scene({ model_file: '../gone.glb' })).toHaveLength(5);
  });

  it('take none for no file, and whatever Python calls false', () => {
    for (const model_file of [null, 0, false, {}]) expect(scene({ model_file })).toEqual([]);
    expect(scene({ model_file: 5 })).toEqual(['model_file: invalid_value_type', 'source: validation_exception']);
  });

  it('differ by generation: nothing moves, and only the older engine minds', () => {
    const description = {
      KlingCameraControls: {
        is_input_list: false,
        input: { required: { pan: ['FLOAT', { min: -10, max: 10 }] } },
        output: ['X'],
      },
      PreviewAny: { input: { required: { source: ['*', {}] } }, output: [], output_node: true },
    };
    expect(judge(loadCatalogue(description as unknown as JsonObject), 'KlingCameraControls', { pan: 0 })).toEqual([]);
  });

  it('cannot be called at all when a link bears the name of their first parameter', () => {
    expect(scene({ cls: ['n', 0] })).toEqual(['source: validation_exception']);
    expect(judge(older, 'LoadImage', { image: 'grad8x6.png', s: ['n', 0] })).toEqual(['source: validation_exception']);
  });
});
