import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  canonicalJobEvent,
  decodeJobEvent,
  encodeJobEvent,
  JOB_EVENT_FORMATS,
  JOB_EVENT_TYPES,
  schemaVersionOfJobEvent,
} from './job.codec.js';
import { UndecodableEvent } from '@heddle/event-codec';
import { submission } from './job.fixture.js';

const folder = new URL('../samples/', import.meta.url);
const samples = readdirSync(folder).map((file) => {
  const [type, version] = file.split('.') as [string, string];
  return { type, version: Number(version.slice(1)), text: stored(readFileSync(new URL(file, folder), 'utf8')) };
});

/** Samples are formatted for readers; the log stores them without whitespace. */
function stored(sample: string): string {
  return JSON.stringify(JSON.parse(sample));
}

describe('frozen samples of stored events', () => {
  it.each(samples)(
    '$type of schema version $version decodes, and encodes to the same bytes',
    ({ type, version, text }) => {
      const event = decodeJobEvent(type, version, text);
      expect(encodeJobEvent(event)).toBe(text);
      expect(schemaVersionOfJobEvent(event)).toBe(version);
    },
  );

  it('exist for every schema version of every event type', () => {
    const wanted = JOB_EVENT_TYPES.flatMap((type) => JOB_EVENT_FORMATS[type].map((_, at) => `${type} ${at + 1}`));
    expect(samples.map(({ type, version }) => `${type} ${version}`).sort()).toEqual(wanted.sort());
  });

  it.each(samples)('$type tolerates fields that it does not know', ({ type, version, text }) => {
    const newer = JSON.stringify({ ...JSON.parse(text), fieldOfALaterBuild: { a: 1 } });
    expect(encodeJobEvent(decodeJobEvent(type, version, newer))).toBe(text);
  });
});

describe('the codec', () => {
  it('refuses an unknown type, an unknown schema version and a payload of another shape', () => {
    expect(() => decodeJobEvent('JobPaused', 1, '{}')).toThrow(UndecodableEvent);
    expect(() => decodeJobEvent('constructor', 1, '{}')).toThrow(UndecodableEvent);
    expect(() => decodeJobEvent('JobPurged', 2, '{}')).toThrow(UndecodableEvent);
    expect(() => decodeJobEvent('JobFailed', 1, '{"error":null}')).toThrow('JobFailed.error is not an object');
  });

  it('keeps out of the log whatever a caller’s object carries besides the shape', () => {
    const careless = { ...submission, extra_data: { api_key: 'canary' }, credentials: 'canary' };
    const stored = encodeJobEvent(canonicalJobEvent({ type: 'JobSubmitted', data: careless }));
    expect(stored).not.toContain('canary');
  });

  it('keeps labels with odd names', () => {
    const metadata = JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, string>;
    const stored = encodeJobEvent(canonicalJobEvent({ type: 'JobSubmitted', data: { ...submission, metadata } }));
    const decoded = decodeJobEvent('JobSubmitted', 1, stored);
    expect(encodeJobEvent(decoded)).toBe(stored);
    expect(stored).toContain('"metadata":{"__proto__":"a","constructor":"b"}');
  });
});
