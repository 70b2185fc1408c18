import { UndecodableEvent } from '@heddle/event-codec';
import { describe, expect, it } from 'vitest';
import { EVERY_EVENT, EVERY_JOB } from './every-job.fixture.js';
import { evolve } from './evolve.js';
import {
  canonicalJobEvent,
  decodeJobEvent,
  encodeJobEvent,
  formatOfJobEvent,
  JOB_EVENT_FORMAT,
  JOB_EVENT_FORMATS,
  JOB_EVENT_TYPES,
  readsJobEvent,
  schemaVersionOfJobEvent,
} from './job.codec.js';

type Json = Record<string, unknown>;
const payloads = EVERY_EVENT.map(({ name, event }) => {
  const version = schemaVersionOfJobEvent(event);
  return { name, event, version, payload: JSON.parse(encodeJobEvent(event)) as Json };
});
const fields = payloads.flatMap(({ name, event, version, payload }) =>
  Object.keys(payload).map((field) => ({ name, field, type: event.type, version, payload })),
);

describe('the payload of a stored event', () => {
  it.each(fields)('$name is refused without $field', ({ type, version, payload, field }) => {
    const { [field]: _left, ...rest } = payload;
    expect(() => decodeJobEvent(type, version, JSON.stringify(rest))).toThrow(UndecodableEvent);
  });

  it.each(fields)(
    '$name is refused with a $field of another type, by its name',
    ({ type, version, payload, field }) => {
      const other = Array.isArray(payload[field]) ? 7 : [payload[field]];
      const text = JSON.stringify({ ...payload, [field]: other });
      expect(() => decodeJobEvent(type, version, text)).toThrow(`${type}.${field}`);
    },
  );

  it.each(['', '{', 'null', '7', '"x"', '[]', '[{}]'])('is never %j', (text) => {
    for (const { event, version } of payloads)
      expect(() => decodeJobEvent(event.type, version, text), event.type).toThrow(UndecodableEvent);
  });

  it.each(payloads)('$name has one encoding, in whatever order its fields come', ({ event, version, payload }) => {
    const reversed = JSON.stringify(Object.fromEntries(Object.entries(payload).reverse()));
    expect(encodeJobEvent(decodeJobEvent(event.type, version, reversed))).toBe(encodeJobEvent(event));
  });

  it.each(payloads)('$name folds as the event that was decided', ({ event, version, payload }) => {
    const stored = decodeJobEvent(event.type, version, JSON.stringify(payload));
    for (const story of Object.values(EVERY_JOB)) {
      const at = { recordedAt: '2026-02-01T00:00:00.000Z', workerSequence: 3 };
      expect(evolve(story.state(), { event: stored, ...at })).toEqual(evolve(story.state(), { event, ...at }));
    }
  });

  it.each(payloads)('$name is canonical as it is read', ({ event }) => {
    expect(canonicalJobEvent(event)).toEqual(event);
  });
});

describe('the formats of the log', () => {
  it('are numbered from 1 without a gap, and a version of a type never needs an older one than the version before', () => {
    const numbers = new Set(Object.values(JOB_EVENT_FORMATS).flat());
    expect([...numbers].sort((one, other) => one - other)).toEqual(
      Array.from({ length: JOB_EVENT_FORMAT }, (_, at) => at + 1),
    );
    for (const formats of Object.values(JOB_EVENT_FORMATS))
      expect(formats).toEqual([...formats].sort((one, other) => one - other));
  });

  it('are read by each type in each of its versions, and in no other', () => {
    for (const type of JOB_EVENT_TYPES) {
      const versions = JOB_EVENT_FORMATS[type].length;
      for (let version = -1; version <= versions + 1; version += 1)
        expect(readsJobEvent(type, version), `${type} ${version}`).toBe(version >= 1 && version <= versions);
    }
    expect(readsJobEvent('JobPaused', 1)).toBe(false);
  });

  it('are the oldest that holds each event', () => {
    const formats = payloads.map(({ name, event, version }) => [name, formatOfJobEvent(event.type, version)]);
    const newer = formats.filter(([, format]) => format !== 1);
    expect(newer).toEqual([
      ['JobFailed v2', 3],
      ['JobSubmitted v2', 2],
    ]);
  });
});
