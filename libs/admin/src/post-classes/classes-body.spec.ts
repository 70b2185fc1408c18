import { validateSync } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { ClassesBody } from './classes-body.dto.js';

const problems = (fields: Readonly<Record<string, unknown>>): string[] =>
  validateSync(new ClassesBody(fields)).map(({ property }) => property);

describe('the body of an external extractor', () => {
  it('has the classes of a success, and none of a failure', () => {
    expect(problems({ success: true, nodes: {} })).toEqual([]);
    expect(problems({ success: false, reason: 'it does not import' })).toEqual([]);
  });

  it.each([{ success: true }, { success: true, nodes: null }, { success: false, nodes: [] }])(
    'is refused where the classes are not an object: %j',
    (fields) => {
      expect(problems(fields)).toEqual(['nodes']);
    },
  );
});
