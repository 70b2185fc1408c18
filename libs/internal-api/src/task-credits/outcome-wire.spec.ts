import { accepted, invalidFields, rejected } from '@heddle/contracts-messages';
import type { Answer, ReserveOutcome, SettleOutcome } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { ReserveResponse, SettleResponse } from '../generated/heddle/jobs/v1/task_credits.js';
import { reserveOutcome, reserveResponse, settleOutcome, settleResponse } from './outcome-wire.js';

const refused = rejected(invalidFields({ amount: 'must be 60' }));

describe('an outcome over the wire', () => {
  it.each<Answer<ReserveOutcome>>([
    accepted({ kind: 'reserved', reserved: 60 }),
    accepted({ kind: 'uncovered', required: 11, balance: 10 }),
    refused,
  ])('of a reserve arrives as it was given: %j', (given) => {
    const bytes = ReserveResponse.encode(reserveResponse(given)).finish();
    expect(reserveOutcome(ReserveResponse.decode(bytes))).toEqual(given);
  });

  it.each<Answer<SettleOutcome>>([
    accepted({ kind: 'settled', charged: 20, returned: 40 }),
    accepted({ kind: 'nothing_reserved' }),
    refused,
  ])('of a settle arrives as it was given: %j', (given) => {
    const bytes = SettleResponse.encode(settleResponse(given)).finish();
    expect(settleOutcome(SettleResponse.decode(bytes))).toEqual(given);
  });

  it('is a rejection with the code and the details that earlier builds read', () => {
    const { result } = reserveResponse(accepted({ kind: 'uncovered', required: 11, balance: 10 }));
    const details = '{"required":11,"balance":10}';
    expect(result).toMatchObject({ $case: 'rejection', value: { code: 'insufficient_credits', details } });
    const nothing = settleResponse(accepted({ kind: 'nothing_reserved' }));
    expect(nothing.result).toMatchObject({ $case: 'rejection', value: { code: 'not_found' } });
  });
});
