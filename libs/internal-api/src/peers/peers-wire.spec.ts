import { Secret } from '@heddle/contracts-messages';
import type { HeldCredentials, PeerHints } from '@heddle/contracts-messages';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HintRequest, KeepCredentialsRequest } from '../generated/heddle/peers/v1/peers.js';
import { heldMessages, heldOf, hintsMessage, hintsOf } from './peers-wire.js';

const words = fc.string({ unit: 'grapheme' });
const id = fc.uuid();
const hints = fc.record({
  work: fc.array(fc.record({ deploymentId: id, revision: fc.nat(), jobId: fc.option(id) })),
  states: fc.array(
    fc.record({
      workerId: words,
      state: fc.record({
        jobId: id,
        fence: fc.nat(),
        state: fc.constantFrom('held', 'cancel_requested', 'lost'),
      }),
    }),
  ),
  ended: fc.array(id),
  commits: fc.boolean(),
  sequenced: fc.boolean(),
}) as unknown as fc.Arbitrary<PeerHints>;
const secret = words.map((value) => new Secret(value));
const held = fc.array(
  fc.record({ jobId: id, credentials: fc.record({ apiKey: secret, authToken: secret }, { requiredKeys: [] }) }),
) as unknown as fc.Arbitrary<HeldCredentials[]>;
const inClear = (all: readonly HeldCredentials[]): unknown =>
  all.map(({ jobId, credentials: { apiKey, authToken } }) => [jobId, apiKey?.reveal(), authToken?.reveal()]);

describe('what replicas of the jobs service say to each other', () => {
  it('is heard as it was said', () => {
    const told = fc.property(hints, (given) => {
      const bytes = HintRequest.encode({ from: 'one', ...hintsMessage(given) }).finish();
      expect(hintsOf(HintRequest.decode(bytes))).toEqual(given);
    });
    fc.assert(told);
    const left = fc.property(held, (given) => {
      const bytes = KeepCredentialsRequest.encode({ from: 'one', held: heldMessages(given) }).finish();
      const got = heldOf(KeepCredentialsRequest.decode(bytes).held);
      expect(inClear(got)).toEqual(inClear(given));
      expect(JSON.stringify(got)).not.toContain('reveal');
    });
    fc.assert(left);
  });

  it('is cut at its limits, and without what this version does not know', () => {
    const lease = { workerId: 'w', jobId: 'j', fence: 1 };
    const request = {
      from: 'one',
      work: Array.from({ length: 300 }, () => ({ deploymentId: 'd', revision: 0, jobId: undefined })),
      states: [
        { ...lease, standing: 9 },
        { ...lease, standing: 3 },
      ],
      ended: Array.from({ length: 300 }, () => 'j'),
      commits: true,
      sequenced: false,
    };
    const { work, states, ended } = hintsOf(request);
    expect([work.length, ended.length]).toEqual([256, 256]);
    expect(states).toEqual([{ workerId: 'w', state: { jobId: 'j', fence: 1, state: 'lost' } }]);
    expect(heldOf([{ jobId: 'j', credentials: undefined }])).toEqual([]);
  });
});
