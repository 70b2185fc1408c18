import { describe, expect, it } from 'vitest';
import { isForeignPage } from './origin-guard.js';

describe('a request of a web page', () => {
  it.each([
    ['no page', { host: '127.0.0.1:8188' }],
    ['the page of the engine itself', { host: '127.0.0.1:8188', origin: 'http://127.0.0.1:8188' }],
    ['the same by another name that was asked', { host: 'localhost:8188', origin: 'http://localhost:8188' }],
    ['a page of the machine whose name was asked', { host: 'engine.example', origin: 'http://other.example' }],
  ])('is answered for %s', (_, headers) => {
    expect(isForeignPage(headers)).toBe(false);
  });

  it.each([
    ['another host', { host: '127.0.0.1:8188', origin: 'http://evil.example' }],
    ['another port', { host: '127.0.0.1:8188', origin: 'http://127.0.0.1:9999' }],
    ['another name of the same machine', { host: '127.0.0.1:8188', origin: 'http://localhost:8188' }],
    ['a file or a frame without origin', { host: 'localhost:8188', origin: 'null' }],
    ['an image or form of another site', { host: '127.0.0.1:8188', 'sec-fetch-site': 'cross-site' }],
    ['another host, over IPv6', { host: '[::1]:8188', origin: 'http://evil.example' }],
  ])('is refused for %s', (_, headers) => {
    expect(isForeignPage(headers)).toBe(true);
  });
});
