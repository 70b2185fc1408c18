import { LOG_BYTES, Secret } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { LogText } from './log-text.js';

const API_KEY = 'sk-canary-"1"/é+ü';
const AUTH_TOKEN = 'canary-token-2';
const CREDENTIALS = { apiKey: new Secret(API_KEY), authToken: new Secret(AUTH_TOKEN) };

describe('the text of an execution log', () => {
  it('is kept as it was written while it fits', () => {
    const log = new LogText();
    log.write('one\r\n\u001b[31mtwo\u0000');
    expect(log.endsLine).toBe(false);
    log.write(' \u{1f9f5}\n');
    expect(log.endsLine).toBe(true);
    expect(log.read()).toEqual({ text: 'one\r\n\u001b[31mtwo\u0000 \u{1f9f5}\n', truncated: false });
  });

  it.each([
    ['many short pieces', 7],
    ['a few long ones', 300_000],
    ['one that is too long', 5 * LOG_BYTES],
  ])('is the last MiB of %s, in whole characters', (_, size) => {
    const log = new LogText();
    const whole = 'é'.repeat(2 * LOG_BYTES) + 'end';
    for (let at = 0; at < whole.length; at += size) log.write(whole.slice(at, at + size));
    const { text, truncated } = log.read();
    expect(truncated).toBe(true);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LOG_BYTES);
    expect(Buffer.byteLength(text)).toBeGreaterThan(LOG_BYTES - 4);
    expect(whole.endsWith(text)).toBe(true);
  });

  it.each([
    ['at once', [`key=${API_KEY} and ${AUTH_TOKEN}\n`]],
    ['in pieces', ['key=', ...API_KEY, ' and ', ...AUTH_TOKEN, '\n']],
    ['as JSON and in a URL', [JSON.stringify({ key: API_KEY }), `?key=${encodeURIComponent(API_KEY)}`]],
  ])('holds no credential of the job that an engine wrote %s', (_, pieces) => {
    const log = new LogText(CREDENTIALS);
    for (const piece of pieces) log.write(piece);
    const { text } = log.read();
    expect(text).not.toMatch(/canary/);
    expect(text).toContain('***');
  });

  it('holds no end of a credential where its beginning was dropped', () => {
    for (let shift = 0; shift <= AUTH_TOKEN.length; shift += 1) {
      const log = new LogText(CREDENTIALS);
      log.write(AUTH_TOKEN);
      log.write('.'.repeat(LOG_BYTES + API_KEY.length * 3 - shift));
      const { text, truncated } = log.read();
      expect(truncated).toBe(true);
      expect(text).not.toMatch(/[a-z]/);
    }
  });

  it('stays within the limit where the marks are longer than the credential', () => {
    const log = new LogText({ apiKey: new Secret('x') });
    log.write('x'.repeat(LOG_BYTES));
    const { text, truncated } = log.read();
    expect(truncated).toBe(true);
    expect(text).toBe('*'.repeat(LOG_BYTES));
  });
});
