import { describe, expect, it } from 'vitest';
import { listOf, number, oneOf, orNull, record, text, UndecodableEvent } from './decoders.js';
import { codecOf } from './event-codec.js';

type LampEvent =
  | { readonly type: 'LampLit'; readonly data: { readonly by: string; readonly watts: number | null } }
  | { readonly type: 'LampPainted'; readonly data: { readonly colours: readonly ('red' | 'blue')[] } };

const codec = codecOf<LampEvent>('lamp', {
  LampLit: record({ by: text, watts: orNull(number) }),
  LampPainted: record({ colours: listOf(oneOf('red', 'blue')) }),
});

describe('the codec of a context', () => {
  it('writes the fields of the shape in its order, and drops others', () => {
    const lit = { type: 'LampLit', data: { watts: 40, extra: 1, by: 'me' } } as LampEvent;
    expect(codec.encode(lit)).toBe('{"by":"me","watts":40}');
  });

  it('reads what it wrote, and a field that a later build has added', () => {
    const lit: LampEvent = { type: 'LampLit', data: { by: 'me', watts: null } };
    expect(codec.decode('LampLit', 1, codec.encode(lit))).toEqual(lit);
    expect(codec.decode('LampLit', 1, '{"later":true,"watts":null,"by":"me"}')).toEqual(lit);
  });

  it.each([
    ['LampMoved', 1, '{}', 'unknown lamp event type LampMoved'],
    ['constructor', 1, '{}', 'unknown lamp event type constructor'],
    ['LampLit', 2, '{"by":"me","watts":1}', 'LampLit has schema version 2, this build reads 1'],
    ['LampLit', 1, '{', 'the data of LampLit is not JSON'],
    ['LampLit', 1, '[]', 'LampLit is not an object'],
    ['LampLit', 1, '{"by":7,"watts":1}', 'LampLit.by is not a string'],
    ['LampLit', 1, '{"by":"me"}', 'LampLit.watts is not a number'],
    ['LampPainted', 1, '{"colours":"red"}', 'LampPainted.colours is not a list'],
    ['LampPainted', 1, '{"colours":["red","green"]}', 'LampPainted.colours[1] is not one of red, blue'],
  ])('refuses %s of schema version %d with %s', (type, schemaVersion, data, message) => {
    expect(() => codec.decode(type, schemaVersion, data)).toThrow(new UndecodableEvent(message));
  });
});
