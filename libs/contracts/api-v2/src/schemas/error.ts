import { ERROR_CODES } from '../error-codes.js';
import type { JsonSchema } from './json-schema.js';
import { closedEnum } from './json-schema.js';

export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ErrorEnvelope: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: closedEnum(Object.keys(ERROR_CODES)),
          message: { type: 'string', minLength: 1 },
          details: { type: 'object' },
        },
      },
    },
  },
};
