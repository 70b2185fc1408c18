import { ServiceAwayError } from '@heddle/platform-service-calls';
import { describe, expect, it } from 'vitest';
import { isDependencyAway } from './is-dependency-away.js';

const withCode = (code: string): Error => Object.assign(new Error(code), { code });

describe('a failure of a handler', () => {
  it.each([
    ['a connection that nobody takes', withCode('ECONNREFUSED')],
    ['a connection that broke', new Error('Connection terminated unexpectedly')],
    ['a pool whose server does not answer', new Error('timeout exceeded when trying to connect')],
    ['a server that shuts down', withCode('57P01')],
    ['a full disk', withCode('53100')],
    ['a deadlock', withCode('40P01')],
    ['a lock that is held', withCode('55P03')],
    ['another service that is away', new ServiceAwayError('jobs', 'no answer', false)],
    ['a commit whose answer was lost', new Error('unknown', { cause: withCode('ECONNRESET') })],
  ])('is an outage: %s', (_, failure) => {
    expect(isDependencyAway(failure)).toBe(true);
  });

  it.each([
    ['a text that the database refuses', withCode('22P05')],
    ['a constraint', withCode('23514')],
    ['a mistake of ours', new TypeError('x is not a function')],
    ['no error at all', 'why not'],
  ])("is the message's own: %s", (_, failure) => {
    expect(isDependencyAway(failure)).toBe(false);
  });
});
