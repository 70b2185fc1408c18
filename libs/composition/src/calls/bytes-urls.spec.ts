import { describe, expect, it } from 'vitest';
import { readSettings } from '../settings/settings.js';
import { bytesUrls } from './bytes-urls.js';

const of = (env: Record<string, string>): string[] => bytesUrls(readSettings(env));

describe('the addresses for bytes', () => {
  it.each([
    ['http://127.0.0.1:28290', ['http://127.0.0.1:8291']],
    ['https://heddle-assets:8290,https://[fd00::7]:8290', ['https://heddle-assets:8291', 'https://[fd00::7]:8291']],
  ])('are port 8291 of the hosts of %s', (urls, expected) => {
    expect(of({ HEDDLE_ASSETS_URLS: urls })).toEqual(expected);
  });

  it('are those of their own setting if it is set', () => {
    const own = { HEDDLE_ASSETS_BYTES_URLS: 'http://127.0.0.1:1,http://127.0.0.1:2' };
    expect(of({ HEDDLE_ASSETS_URLS: 'http://127.0.0.1:8290', ...own })).toEqual([
      'http://127.0.0.1:1',
      'http://127.0.0.1:2',
    ]);
  });
});
