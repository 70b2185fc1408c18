import { alreadySo, append, reject } from '@heddle/decision';
import { describe, expect, it } from 'vitest';
import { given } from './given.js';
import { Story } from './story.js';

type Switched = { readonly type: 'On' | 'Off'; readonly data: object };
interface Lamp {
  readonly isOn: boolean;
  readonly since: string;
}

const on: Switched = { type: 'On', data: {} };
const off: Switched = { type: 'Off', data: {} };
const noLamp = new Story<Lamp | null, Switched>(
  (_, { type }, recordedAt): Lamp => ({ isOn: type === 'On', since: recordedAt }),
  null,
);

describe('a tested decision', () => {
  it('sees the state after the given events, one each second', () => {
    const seen: (Lamp | null)[] = [];
    const look = (state: Lamp | null) => (seen.push(state), alreadySo);
    given(noLamp).when(look).thenNothing();
    given(noLamp.and(on).and(off)).when(look).thenNothing();
    expect(seen).toEqual([null, { isOn: false, since: '2026-01-01T00:00:01.000Z' }]);
  });

  it('gives the state after its events', () => {
    const lit = { isOn: true, since: '2026-01-01T00:00:02.000Z' };
    expect(
      given(noLamp.and(on, off))
        .when(() => append(on))
        .then(on),
    ).toEqual(lit);
    expect(
      given(noLamp.and(on, off))
        .when(() => append(on))
        .thenTypes('On'),
    ).toEqual(lit);
  });

  it.each([
    [
      'other events',
      () =>
        given(noLamp)
          .when(() => append(on))
          .then(off),
    ],
    [
      'no events',
      () =>
        given(noLamp)
          .when(() => append(on))
          .thenNothing(),
    ],
    [
      'other types',
      () =>
        given(noLamp)
          .when(() => append(on))
          .thenTypes('On', 'Off'),
    ],
    [
      'types of a rejection',
      () =>
        given(noLamp)
          .when(() => reject('broken'))
          .thenTypes(),
    ],
    [
      'nothing instead of a rejection',
      () =>
        given(noLamp)
          .when(() => reject('broken'))
          .thenNothing(),
    ],
    [
      'another rejection',
      () =>
        given(noLamp)
          .when(() => reject('broken'))
          .thenRejected('lost'),
    ],
    [
      'a rejection instead of events',
      () =>
        given(noLamp)
          .when(() => append(on))
          .thenRejected('broken'),
    ],
  ])('fails its test if that expects %s', (_, test) => {
    expect(test).toThrow('to deeply equal');
  });
});
