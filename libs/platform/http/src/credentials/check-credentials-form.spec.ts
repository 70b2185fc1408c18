import { describe, expect, it } from 'vitest';
import { checkCredentialsForm, loggedTarget } from './check-credentials-form.js';

const KEY = `hdl_${'a1'.repeat(8)}_${'Ab3'.repeat(14)}x_0f1e2d3c`;
const BEARER = ['Host', 'heddle.test', 'Authorization', `Bearer ${KEY}`];

describe('the form of the credentials in a head', () => {
  it.each([
    `/api/v2/jobs?api_key=${KEY}`,
    `/api/v2/jobs/${KEY}`,
    `/api/v2/jobs?${KEY}`,
    `/api/v2/jobs?key=${KEY.replaceAll('_', '%5F')}`,
    `/api/v2/jobs?key=%68%64%6c%5f${KEY.slice(4)}`,
    `/api/v2/jobs?key=%E2%98%83${KEY}`,
    '/api/v2/jobs?key=hdl_mistyped_and-short_',
    '/hdl_a_b_c#x',
    `/${'x'.repeat(8_000)}?k=HDL_A_B_C`,
  ])('refuses a key in the target: %s', (url) => {
    const rejection = checkCredentialsForm({ url, rawHeaders: BEARER });
    expect(rejection?.code).toBe('bad_request');
    expect(rejection?.message).toContain('Authorization header');
    const told = JSON.stringify([rejection, loggedTarget(url)]);
    expect(told).not.toMatch(/a1a1|0f1e|mistyped|hdl[_%]/i);
  });

  it.each([
    '/api/v2/jobs',
    '/api/v2/jobs?limit=20&cursor=hdl_a%20b_c_d',
    '/api/v2/assets/by-hash/blake3:00',
    '/api/v2/jobs?name=hdl_model&other_thing_x=1',
    '/api/v2/jobs?x=handle_a_b_c%',
  ])('takes the target %s', (url) => {
    expect(checkCredentialsForm({ url, rawHeaders: BEARER })).toBeNull();
    expect(loggedTarget(url)).toBe(url);
  });

  it('refuses two Authorization headers, even equal ones, and repeats neither', () => {
    for (const second of [`Bearer ${KEY}`, 'Basic x', '']) {
      const rejection = checkCredentialsForm({ url: '/', rawHeaders: [...BEARER, 'aUTHORIZATION', second] });
      expect(rejection?.code).toBe('bad_request');
      expect(rejection?.message).toContain('one Authorization header');
      expect(JSON.stringify(rejection)).not.toContain('hdl');
    }
    expect(checkCredentialsForm({ url: '/', rawHeaders: [...BEARER, 'Proxy-Authorization', 'Basic x'] })).toBeNull();
  });

  it('is judged in time that grows with the target alone', () => {
    const long = `/?k=${'hdl_a%5'.repeat(20_000)}`;
    const started = performance.now();
    checkCredentialsForm({ url: long, rawHeaders: [] });
    expect(performance.now() - started).toBeLessThan(500);
  });
});
