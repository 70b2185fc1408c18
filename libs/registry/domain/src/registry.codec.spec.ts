import { readdirSync, readFileSync } from 'node:fs';
import { UndecodableEvent } from '@heddle/event-codec';
import { describe, expect, it } from 'vitest';
import { decodeRegistryEvent, encodeRegistryEvent, REGISTRY_EVENT_TYPES } from './registry.codec.js';

const folder = new URL('../samples/', import.meta.url);
const samples = readdirSync(folder).map((file) => {
  const [type, version] = file.split('.') as [string, string];
  const text = JSON.stringify(JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
  return { type, version: Number(version.slice(1)), text };
});

describe('frozen samples of the events of the registry', () => {
  it.each(samples)('$type of schema version $version decodes, and encodes to the same bytes', (sample) => {
    const newer = JSON.stringify({ ...JSON.parse(sample.text), field_of_a_later_build: 1 });
    for (const stored of [sample.text, newer]) {
      expect(encodeRegistryEvent(decodeRegistryEvent(sample.type, sample.version, stored))).toBe(sample.text);
    }
  });

  it('exist for every event type', () => {
    expect(new Set(samples.map(({ type }) => type))).toEqual(new Set(REGISTRY_EVENT_TYPES));
  });

  it('are all that this build reads', () => {
    for (const [type, version, data] of [
      ['NodeMoved', 1, '{}'],
      ['constructor', 1, '{}'],
      ['NodeDeleted', 2, '{"actor":"admin"}'],
      ['NodeDeleted', 1, '{'],
      ['NodeDeleted', 1, '{"actor":1}'],
      ['VersionReviewed', 1, '{"actor":"admin","reason":"","status":"pending"}'],
    ] as const) {
      expect(() => decodeRegistryEvent(type, version, data)).toThrow(UndecodableEvent);
    }
  });
});
