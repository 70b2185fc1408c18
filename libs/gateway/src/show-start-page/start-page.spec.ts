import { describe, expect, it } from 'vitest';
import { startPageHtml, startPageJson, wantsHtml } from './start-page.js';

const page = { version: '0.1.0', base: 'http://127.0.0.1:8189', healthUrl: 'http://127.0.0.1:9189/readyz' };

describe('the page at the origin of the API', () => {
  it('names the service, its version and where to go, for programs and for people', () => {
    expect(JSON.parse(startPageJson(page))).toEqual({
      name: 'heddle',
      version: '0.1.0',
      links: {
        api: 'http://127.0.0.1:8189/api/v2',
        openapi: 'http://127.0.0.1:8189/api/v2/openapi.json',
        health: 'http://127.0.0.1:9189/readyz',
      },
      docs: expect.stringContaining('docs/README.md'),
    });
    const html = startPageHtml(page);
    for (const part of ['Heddle 0.1.0', 'href="http://127.0.0.1:8189/api/v2/openapi.json"', '9189/readyz'])
      expect(html).toContain(part);
  });

  it('leaves health out where it is not known, and writes a hostile host as text', () => {
    const html = startPageHtml({ ...page, base: 'http://"><script>alert(1)</script>', healthUrl: null });
    expect(html).not.toContain('<script');
    expect(html).not.toContain('Health');
  });

  it.each([
    [undefined, false],
    ['*/*', false],
    ['application/json', false],
    ['application/json, text/html', false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['TEXT/HTML;q=0.9', true],
  ])('of Accept %s is HTML: %s', (accept, html) => expect(wantsHtml(accept)).toBe(html));
});
