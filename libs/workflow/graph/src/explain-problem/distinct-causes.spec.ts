import { describe, expect, it } from 'vitest';
import type { NodeErrorReason } from '../check-workflow/node-problems.js';
import { distinctCauses } from './distinct-causes.js';

const told = (...problems: [string, NodeErrorReason][]): string[] =>
  distinctCauses(problems.map(([field, reason]) => ({ field, reason }))).map(
    ({ field, reason }) => `${field} ${reason}`,
  );

describe('the causes of problems', () => {
  it('are told once where the list and the own check of a class refuse one value', () => {
    expect(told(['image', 'custom_validation_failed'], ['image', 'value_not_in_list'])).toEqual([
      'image value_not_in_list',
    ]);
    expect(
      told(
        ['height', 'custom_validation_failed'],
        ['model_file', 'custom_validation_failed'],
        ['model_file', 'value_not_in_list'],
        ['width', 'value_below_min'],
      ),
    ).toEqual(['model_file value_not_in_list', 'width value_below_min']);
  });

  it('are told once where the own check of a class refuses several inputs together', () => {
    expect(told(['pan', 'custom_validation_failed'], ['roll', 'custom_validation_failed'])).toEqual([
      'pan custom_validation_failed',
    ]);
  });

  it.each<NodeErrorReason>(['missing_input', 'invalid_value_type', 'link_source_not_found'])(
    'are told once where the own check of a class throws on an input with %s',
    (reason) => {
      expect(told(['image', reason], ['images', 'validation_exception'])).toEqual([`image ${reason}`]);
      expect(told(['images', 'validation_exception'], ['width', 'value_below_min'])).toHaveLength(2);
    },
  );

  it('are all told where the own check and the list refuse values of different inputs', () => {
    expect(told(['image', 'custom_validation_failed'], ['mode', 'value_not_in_list'])).toEqual([
      'image custom_validation_failed',
      'mode value_not_in_list',
    ]);
  });
});
