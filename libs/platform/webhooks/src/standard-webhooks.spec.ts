import { describe, expect, it } from 'vitest';
import { signWebhook, webhookFault, webhookKey, webhookSecret } from './standard-webhooks.js';

/** The example of the specification (standardwebhooks.com). */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const KEY = webhookKey(SECRET);
const MESSAGE = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const HEADERS = signWebhook(MESSAGE, KEY);
const fault = (changed: Record<string, string | undefined>, body = MESSAGE.body, now = MESSAGE.timestamp) =>
  webhookFault({ ...HEADERS, ...changed }, body, KEY, now);

describe('a webhook', () => {
  it('is signed as the example of the specification', () => {
    expect(HEADERS).toEqual({
      'webhook-id': MESSAGE.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': SIGNATURE,
    });
    expect(webhookSecret(KEY)).toBe(SECRET);
  });

  it('is believed for five minutes, earlier and later', () => {
    expect(fault({})).toBeNull();
    expect(fault({}, MESSAGE.body, MESSAGE.timestamp + 300)).toBeNull();
    expect(fault({}, MESSAGE.body, MESSAGE.timestamp - 300)).toBeNull();
    expect(fault({}, MESSAGE.body, MESSAGE.timestamp + 301)).toBe('timestamp');
    expect(fault({}, MESSAGE.body, MESSAGE.timestamp - 301)).toBe('timestamp');
  });

  it('may carry other signatures too', () => {
    expect(fault({ 'webhook-signature': `v1,AAAA v1a,x ${SIGNATURE}` })).toBeNull();
    expect(fault({ 'webhook-signature': `${'v1,AAAA '.repeat(10)}${SIGNATURE}` })).toBe('signature');
  });

  it.each([
    ['another body', {}, '{"test": 2432232315}', 'signature'],
    ['another id', { 'webhook-id': 'msg_other' }, MESSAGE.body, 'signature'],
    ['another time', { 'webhook-timestamp': '1614265331' }, MESSAGE.body, 'signature'],
    ['a time in another spelling', { 'webhook-timestamp': '01614265330' }, MESSAGE.body, 'signature'],
    ['another version', { 'webhook-signature': SIGNATURE.replace('v1', 'v2') }, MESSAGE.body, 'signature'],
    ['a shortened signature', { 'webhook-signature': SIGNATURE.slice(0, 20) }, MESSAGE.body, 'signature'],
    ['an empty signature', { 'webhook-signature': '' }, MESSAGE.body, 'signature'],
    ['no signature', { 'webhook-signature': undefined }, MESSAGE.body, 'header'],
    ['no id', { 'webhook-id': undefined }, MESSAGE.body, 'header'],
    ['an empty id', { 'webhook-id': '' }, MESSAGE.body, 'header'],
    ['a long id', { 'webhook-id': 'x'.repeat(256) }, MESSAGE.body, 'header'],
    ['an id with a dot', { 'webhook-id': 'a.b' }, MESSAGE.body, 'header'],
    ['no time', { 'webhook-timestamp': undefined }, MESSAGE.body, 'header'],
    ['a time that is no number', { 'webhook-timestamp': '1e9' }, MESSAGE.body, 'header'],
  ] as const)('with %s is refused', (_, changed, body, expected) => {
    expect(fault(changed, body)).toBe(expected);
  });

  it('of another key is refused', () => {
    expect(webhookFault({ ...HEADERS }, MESSAGE.body, Buffer.alloc(24), MESSAGE.timestamp)).toBe('signature');
  });

  it('is signed by the text of a secret that has no prefix', () => {
    expect(webhookKey('plain')).toEqual(Buffer.from('plain'));
  });
});
