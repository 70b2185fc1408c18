import { expect, it } from 'vitest';
import { refuseRegistry } from './registry-errors.js';

it('a refusal of parameters has a sentence for each of them', () => {
  const parameters = { page: 'must be given once', star: 'must be a whole number from 1 to 5' };
  expect(refuseRegistry('invalid_parameter', { case: 'parameters', parameters })).toEqual({
    code: 'invalid_parameter',
    message: 'The parameter page must be given once. The parameter star must be a whole number from 1 to 5.',
  });
});
