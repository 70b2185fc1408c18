import { describe, expect, it } from 'vitest';
import type { NamedFile } from './file-names.js';
import { hasErrors, unknownFiles, withUnknownFiles } from './unknown-files.js';
import type { WorkflowReport } from './validate-workflow.js';

const file = (name: string, changes: Partial<NamedFile> = {}): NamedFile => ({
  nodeId: '1',
  input: 'image',
  path: ['1', 'inputs', 'image'],
  name,
  listed: false,
  reasonsIfUnknown: ['value_not_in_list'],
  alsoFailing: [],
  ...changes,
});
const report = (namedFiles: readonly NamedFile[], nodeErrors: WorkflowReport['nodeErrors'] = {}): WorkflowReport =>
  ({ namedFiles, nodeErrors }) as WorkflowReport;
const none = (): boolean => false;

describe('a file that a workflow names', () => {
  it('is unknown if it is neither listed nor an asset, and no text may stand there', () => {
    const files = [
      file('gone.png'),
      file('asset.png'),
      file('listed.png', { listed: true }),
      file('any text', { reasonsIfUnknown: [] }),
    ];
    const unknown = unknownFiles(report(files), (name) => name === 'asset.png');
    expect(unknown.map(({ name }) => name)).toEqual(['gone.png']);
  });

  it('adds its problems, and those of the inputs that one check covers, to the others of its node', () => {
    const errors = {
      '1': [{ field: 'width', reason: 'missing_input' }],
      '2': [{ field: 'x', reason: 'bad_link' }],
    } as const;
    const named = file('gone.png', {
      reasonsIfUnknown: ['value_not_in_list', 'custom_validation_failed'],
      alsoFailing: ['mask'],
    });
    const found = withUnknownFiles(report([named], errors), none);
    expect(found['2']).toEqual(errors['2']);
    expect(found['1']).toHaveLength(4);
    expect(found['1']).toEqual(
      expect.arrayContaining([
        { field: 'width', reason: 'missing_input' },
        { field: 'image', reason: 'value_not_in_list' },
        { field: 'image', reason: 'custom_validation_failed' },
        { field: 'mask', reason: 'custom_validation_failed' },
      ]),
    );
    expect(errors['1']).toHaveLength(1);
  });

  it('that is known leaves the report as it was', () => {
    const errors = { '1': [{ field: 'width', reason: 'missing_input' }] } as const;
    const known = report([file('a.png')], errors);
    expect(withUnknownFiles(known, () => true)).toBe(known.nodeErrors);
    expect(hasErrors(withUnknownFiles(report([file('a.png')]), () => true))).toBe(false);
    expect(hasErrors(withUnknownFiles(report([file('a.png')]), none))).toBe(true);
  });
});
