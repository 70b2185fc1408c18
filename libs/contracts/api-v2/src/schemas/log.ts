import type { JsonSchema } from './json-schema.js';
import { dateTime, object } from './json-schema.js';

/** The captured execution log of a job (decisions, Log capture body). */
export interface JobLogWire {
  readonly text: string;
  readonly truncated: boolean;
  readonly captured_at: string;
  readonly complete: boolean;
}

export const LOG_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  JobLog: object({
    text: { type: 'string', description: 'the last MiB; it may hold control characters' },
    truncated: { type: 'boolean', description: 'the beginning was dropped' },
    captured_at: dateTime,
    complete: { type: 'boolean' },
  }),
};
