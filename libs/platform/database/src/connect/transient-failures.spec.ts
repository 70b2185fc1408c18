import { expect, it } from 'vitest';
import { isConnectionLoss, isLoginRefused, isOutage, isTransient } from './transient-failures.js';

const failure = (code: string, more: object = {}): Error => Object.assign(new Error('failed'), { code, ...more });

it.each([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_STREAM_DESTROYED',
  '08006',
  '57P01',
])('%s is a lost connection', (code) => {
  expect(isConnectionLoss(failure(code))).toBe(true);
  expect(isTransient(failure(code))).toBe(true);
});

it('so is everything that fails while connecting, as to a socket file that is not there yet', () => {
  expect(isConnectionLoss(failure('ENOENT', { syscall: 'connect' }))).toBe(true);
});

it.each(['ENOENT', 'EACCES', 'ENOSPC', 'EEXIST', 'EMFILE', 'EISDIR', '23505', '08P01'])(
  '%s of a file or a statement is none',
  (code) => {
    expect(isConnectionLoss(failure(code, { syscall: 'open' }))).toBe(false);
  },
);

it.each(['28P01', '28000'])(
  '%s refuses the role: an outage to who waits, and no failure that a retry mends',
  (code) => {
    expect(isLoginRefused(failure(code))).toBe(true);
    expect(isOutage(failure(code))).toBe(true);
    expect(isOutage(new Error('an upload failed', { cause: failure(code) }))).toBe(true);
    expect(isTransient(failure(code))).toBe(false);
  },
);

it('a missing permission on a table is not an outage', () => {
  expect(isOutage(failure('42501'))).toBe(false);
});
