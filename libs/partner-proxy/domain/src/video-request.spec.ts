import { describe, expect, it } from 'vitest';
import { videoRequest } from './video-request.js';
import type { VideoRules } from './video-request.js';

const RULES: VideoRules = {
  models: ['vendorq2-pro', 'vendorq2-turbo'],
  resolutions: ['540p', '720p', '1080p'],
  settings: { min: 2, max: 9 },
  seconds: { min: 2, max: 7, default: 5 },
  prompt: 2_000,
  payload: 1_048_576,
  imageUrl: (url) => (url.startsWith('https://') ? null : 'must be an https URL'),
  callbackUrl: (url) => (url.startsWith('https://') ? null : 'must be an https URL'),
};
const IMAGE = 'https://images.example.com/a.png';
const GOOD = {
  model: 'vendorq2-pro',
  start_image: IMAGE,
  image_settings: [{ key_image: IMAGE }, { key_image: IMAGE }],
};
/** 4 by 2 pixels; only the header counts. */
const PNG = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
  Buffer.from('IHDR'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 2]),
]);

function problemsOf(changes: object): readonly string[] {
  return videoRequest({ ...GOOD, ...changes }, RULES).problems;
}

describe('a multiframe', () => {
  it('gets its defaults', () => {
    expect(videoRequest(GOOD, RULES).request).toMatchObject({
      resolution: '720p',
      payload: '',
      callbackUrl: null,
      settings: [
        { duration: 5, prompt: '' },
        { duration: 5, prompt: '' },
      ],
    });
  });

  it('is told every problem at once, each with its path', () => {
    const image_settings = [{ key_image: IMAGE, duration: 1 }, { duration: 2.5, prompt: 'a'.repeat(2_001) }, 7];
    expect(problemsOf({ model: 'vendorq3', resolution: '480p', image_settings, callback_url: 'ftp://x/' })).toEqual([
      'model: must be one of vendorq2-pro, vendorq2-turbo',
      'image_settings[0].duration: must be a whole number from 2 to 7',
      'image_settings[1].key_image: must be a URL or base64 text of an image',
      'image_settings[1].duration: must be a whole number from 2 to 7',
      'image_settings[1].prompt: must have at most 2000 characters',
      'image_settings[2]: must be an object',
      'resolution: must be one of 540p, 720p, 1080p',
      'callback_url: must be an https URL',
    ]);
  });

  it.each([[1], [10], [0]])('has 2 to 9 settings, not %d', (count) => {
    const image_settings = Array.from({ length: count }, () => ({ key_image: IMAGE }));
    expect(problemsOf({ image_settings })).toEqual([`image_settings: must have 2 to 9 settings, not ${count}`]);
  });

  it('counts its payload in code points', () => {
    expect(problemsOf({ payload: '🎬'.repeat(1_048_576) })).toEqual([]);
    expect(problemsOf({ payload: `${'🎬'.repeat(1_048_576)}a` })).toHaveLength(1);
    const half = 'must not contain half of a surrogate pair';
    expect(problemsOf({ payload: 'a\ud83c' })).toEqual([`payload: ${half}`]);
    expect(problemsOf({ image_settings: [{ key_image: IMAGE, prompt: '\udfac' }, { key_image: IMAGE }] })).toEqual([
      `image_settings[0].prompt: ${half}`,
    ]);
    expect(problemsOf({ payload: 5 })).toEqual(['payload: must be a string']);
  });

  it.each<[string, unknown, string | null]>([
    ['a PNG in a data URI', `data:image/png;base64,${PNG.toString('base64')}`, null],
    ['a PNG in bare base64', PNG.toString('base64'), null],
    ['a PNG called a JPEG', `data:image/jpeg;base64,${PNG.toString('base64')}`, 'must be the jpeg image'],
    ['garbage', 'data:image/png;base64,AAAA', 'must be a PNG, JPEG or WebP'],
    ['no base64', 'data:image/png;base64,***', 'must be valid base64'],
    ['a GIF', 'data:image/gif;base64,AAAA', 'must be a data URI'],
    ['nothing', '', 'must be a URL'],
    ['a number', 7, 'must be a URL'],
    ['a file', 'file:///etc/passwd', 'must be an https URL'],
  ])('takes images: %s', (_name, start_image, problem) => {
    const [found] = problemsOf({ start_image });
    if (problem === null) expect(found).toBeUndefined();
    else expect(found).toContain(`start_image: ${problem}`);
  });

  it('refuses an image of more than 10 MiB, and one that is too long for its height', () => {
    const big = Buffer.concat([PNG, Buffer.alloc(10 * 1_048_576 - PNG.length + 1)]);
    expect(problemsOf({ start_image: big.toString('base64') })).toEqual([
      'start_image: must have at most 10 MiB, decoded',
    ]);
    expect(problemsOf({ start_image: big.subarray(0, -1).toString('base64') })).toEqual([]);
    const long = Buffer.from(PNG);
    long.writeUInt32BE(9, 16);
    expect(problemsOf({ start_image: long.toString('base64') })).toEqual([
      'start_image: must have sides of at most 1:4',
    ]);
  });
});
