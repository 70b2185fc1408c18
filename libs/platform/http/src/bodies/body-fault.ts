/**
 * Why a body was not read to its end. `no_room`: the process holds its maximum of bytes. `finely_cut`: thousands of
 * chunks of a few bytes. `late`: it did not arrive in time. `broken`: the sender is gone.
 */
export type BodyFault = 'too_large' | 'no_room' | 'finely_cut' | 'late' | 'broken';

export class BodyFaultError extends Error {
  override readonly name = 'BodyFaultError';

  constructor(readonly fault: BodyFault) {
    super(`the body was not read: ${fault}`);
  }
}
