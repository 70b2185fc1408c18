import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { loadCatalogue } from '@heddle/workflow-graph';
import { describe, expect, it } from 'vitest';
import { validateFile } from './validate-file.js';

const catalogue = loadCatalogue(
  gunzipSync(readFileSync(new URL('../../../workflow/graph/recorded/object_info-0.33.0.json.gz', import.meta.url))),
);
const verdict = (workflow: unknown): ReturnType<typeof validateFile> =>
  validateFile(Buffer.from(typeof workflow === 'string' ? workflow : JSON.stringify(workflow)), catalogue);
const loading = (image: unknown): object => ({
  '1': { class_type: 'LoadImage', inputs: { image } },
  '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
});

describe('a file that holds a workflow', () => {
  it('is valid, with no error, when POST /jobs would take it', () => {
    expect(verdict(loading('grad8x6.png'))).toEqual({ valid: true, error: null, problems: [], warnings: [] });
    const id = '01939aaa-0000-7000-8000-000000000001';
    expect(verdict(loading({ __type: 'core/ASSET', info: { id } }))).toEqual({
      valid: true,
      error: null,
      problems: [],
      warnings: [],
    });
  });

  it('is valid with a warning when only a service can know a file that it names', () => {
    expect(verdict(loading('mine.png'))).toEqual({
      valid: true,
      error: null,
      problems: [],
      warnings: [
        expect.stringMatching(
          /^node 1, image: "mine.png" not checked: only a running service knows whether this file was uploaded$/,
        ),
      ],
    });
  });

  it('is told once that it is wrapped, whatever stands beside the wrapped workflow', () => {
    const wrapped = { client_id: 'x', extra_data: {}, prompt: loading('grad8x6.png') };
    const { error, problems } = verdict(wrapped);
    expect(problems).toMatchObject([{ nodeId: 'prompt', field: 'class_type', reason: 'missing_class_type' }]);
    expect(error?.message).toBe(
      'The workflow has 1 problem in 1 node. Node prompt, class_type: This is not a node: the whole workflow is wrapped in ' +
        '{"prompt": …}. Remove the wrapper and keep its content.',
    );
    expect(Object.keys((error?.details as { node_errors: object }).node_errors)).toEqual([
      'client_id',
      'extra_data',
      'prompt',
    ]);
  });

  it('is valid with a warning for an optional input that is misspelt, and for no other unknown input', () => {
    const replace = { string: 'a', regex_pattern: 'a', replace: 'b' };
    const replacing = (inputs: object): unknown => ({
      '1': { class_type: 'RegexReplace', inputs: { ...replace, ...inputs } },
      '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
    });
    expect(verdict(replacing({ case_insensitve: false, cout: 1, note_to_self: 'x' }))).toMatchObject({
      valid: true,
      warnings: [
        'node 1: "case_insensitve" is not an input of RegexReplace; did you mean "case_insensitive"?',
        'node 1: "cout" is not an input of RegexReplace; did you mean "count"?',
      ],
    });
    // A required input that is missing is a problem, which names the misspelt one.
    expect(verdict(replacing({ replace: undefined, replce: 'b' }))).toMatchObject({ valid: false, warnings: [] });
  });

  it('is otherwise told what POST /jobs would answer inside its envelope', () => {
    expect(verdict(loading('../mine.png'))).toMatchObject({
      valid: false,
      error: {
        code: 'invalid_workflow',
        details: { node_errors: { '1': [{}, { field: 'image', reason: 'value_not_in_list' }] } },
      },
      problems: [{ nodeId: '1', field: 'image', reason: 'value_not_in_list' }],
    });
    expect(verdict('{"a":NaN}').error).toMatchObject({ code: 'invalid_workflow', details: { node_errors: {} } });
    expect(verdict('[]').error).toMatchObject({ code: 'invalid_workflow' });
    expect(verdict({ nodes: [], links: [] }).error).toMatchObject({ code: 'workflow_format_ui' });
    expect(verdict(loading({ __type: 'core/ASSET' })).error).toMatchObject({ code: 'missing_asset' });
  });
});
