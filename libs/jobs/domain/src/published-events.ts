import type { EventSchema } from '@heddle/event-codec';
import { EVENT_MEANINGS } from './event-meanings.js';
import { JOB_EVENT_FORMATS, JOB_EVENT_TYPES, jobEventDataSchema } from './job.codec.js';
import type { JobEventType } from './job.events.js';

/** The JSON Schema of the payload of one stored event type and version, as it is published. */
export interface PublishedEvent {
  readonly type: JobEventType;
  readonly schemaVersion: number;
  readonly schema: EventSchema & { readonly $schema: string; readonly $id: string; readonly title: string };
}

/** Every event type and version that this build reads, in the order of the codec. */
export const PUBLISHED_EVENTS: readonly PublishedEvent[] = JOB_EVENT_TYPES.flatMap((type) =>
  JOB_EVENT_FORMATS[type].map((_, at) => publishedEvent(type, at + 1)),
);

/** The description is not part of the schema: a sentence may become clearer, the shape may not change. */
function publishedEvent(type: JobEventType, schemaVersion: number): PublishedEvent {
  return {
    type,
    schemaVersion,
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `urn:heddle:job-event:${type}:${schemaVersion}`,
      title: `${type} ${schemaVersion}`,
      ...jobEventDataSchema(type, schemaVersion),
    },
  };
}

/** The page of a published event. */
export function eventPage({ type, schemaVersion, schema }: PublishedEvent): string {
  const { meaning, fields } = EVENT_MEANINGS[type];
  const rows = Object.entries(schema.properties ?? {}).map(
    ([field, shape]) => `| \`${field}\` | ${shapeText(shape)} | ${fields[field as keyof typeof fields]} |`,
  );
  const table = ['| Field | Type | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
  return [
    `# ${type}, schema version ${schemaVersion}`,
    meaning,
    rows.length === 0 ? 'The payload is empty: the envelope says everything.' : table,
    '## Schema',
    'A reader must ignore fields that the schema does not name.',
    `\`\`\`json\n${JSON.stringify(schema, null, 2)}\n\`\`\``,
    '',
  ].join('\n\n');
}

function shapeText({ type, enum: words, anyOf, items, additionalProperties }: EventSchema): string {
  if (anyOf !== undefined) return anyOf.map(shapeText).join(' or ');
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(', ');
  if (items !== undefined) return `list of ${shapeText(items)}`;
  if (typeof additionalProperties === 'object') return `object of ${shapeText(additionalProperties)}`;
  return typeof type === 'string' ? type : (type ?? []).join(' or ');
}
