import { describe, expect, it } from 'vitest';
import { upscaleRequest } from './upscale-request.js';
import type { UpscaleRules } from './upscale-request.js';
import { videoRequest } from './video-request.js';
import type { VideoRules } from './video-request.js';

/** A field that is no text, no number, no list or no object, whichever it should be. */
const WRONG_TYPES: readonly unknown[] = [true, false, 7.5, -1, 'x', [], {}, [[]], ['x'], { toString: 'x' }];
const IMAGE = 'https://images.example.com/a.png';
const urlCheck = (url: string): string | null => (url.startsWith('https://') ? null : 'must be an https URL');

const VIDEO: VideoRules = {
  models: ['vendorq2-pro', 'vendorq2-turbo'],
  resolutions: ['540p', '720p', '1080p'],
  settings: { min: 2, max: 9 },
  seconds: { min: 2, max: 7, default: 5 },
  prompt: 2_000,
  payload: 1_048_576,
  imageUrl: urlCheck,
  callbackUrl: urlCheck,
};
const UPSCALE: UpscaleRules = {
  flavors: ['sublime', 'photo', 'photo_denoiser'],
  scaleFactor: { min: 2, max: 16, default: 2 },
  percent: { min: 0, max: 100 },
  imageUrl: urlCheck,
  webhookUrl: urlCheck,
};

const settings = (count: number, changes: object = {}): readonly object[] =>
  Array.from({ length: count }, () => ({ key_image: IMAGE, ...changes }));
const GOOD_VIDEO = { model: 'vendorq2-pro', start_image: IMAGE, image_settings: settings(2) };

/** Fields with a problem, without the place in a list. */
function badIn(problems: readonly string[]): readonly string[] {
  return [...new Set(problems.map((problem) => problem.slice(0, problem.indexOf(': ')).replace(/\[\d\]/, '')))];
}

const badVideo = (changes: object): readonly string[] =>
  badIn(videoRequest({ ...GOOD_VIDEO, ...changes }, VIDEO).problems);
const badUpscale = (changes: object): readonly string[] =>
  badIn(upscaleRequest({ image: IMAGE, ...changes }, UPSCALE).problems);

/** A PNG of these sides; only the header counts. */
function png(width: number, height: number): string {
  const head = Buffer.from('89504e470d0a1a0a0000000d494844520000000000000000', 'hex');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head.toString('base64');
}

describe('the fields of a multiframe', () => {
  it.each<[string, object, object]>([
    ['image_settings', { image_settings: settings(9) }, { image_settings: settings(10) }],
    ['image_settings', { image_settings: settings(2) }, { image_settings: settings(1) }],
    [
      'image_settings.duration',
      { image_settings: settings(2, { duration: 7 }) },
      { image_settings: settings(2, { duration: 8 }) },
    ],
    [
      'image_settings.duration',
      { image_settings: settings(2, { duration: 2 }) },
      { image_settings: settings(2, { duration: 1 }) },
    ],
    [
      'image_settings.prompt',
      { image_settings: settings(2, { prompt: '🎬'.repeat(2_000) }) },
      { image_settings: settings(2, { prompt: '🎬'.repeat(2_001) }) },
    ],
    ['payload', { payload: 'x'.repeat(1_048_576) }, { payload: 'x'.repeat(1_048_577) }],
    ['start_image', { start_image: png(8, 2) }, { start_image: png(9, 2) }],
    ['start_image', { start_image: png(2, 8) }, { start_image: png(2, 9) }],
    [
      'image_settings.key_image',
      { image_settings: settings(2, { key_image: png(4, 1) }) },
      { image_settings: settings(2, { key_image: png(5, 1) }) },
    ],
  ])('hold at the limit of %s and not one beyond', (field, at, beyond) => {
    expect(badVideo(at)).toEqual([]);
    expect(badVideo(beyond)).toEqual([field]);
  });

  it.each(['model', 'start_image', 'image_settings'])('must have %s', (field) => {
    for (const absent of [undefined, null, '']) expect(badVideo({ [field]: absent })).toEqual([field]);
  });

  it('may leave the others out, as null and as an empty text too', () => {
    const none = { resolution: null, payload: null, callback_url: null };
    expect(badVideo({ ...none, image_settings: settings(2, { duration: null, prompt: null }) })).toEqual([]);
    expect(
      badVideo({ resolution: '', payload: '', callback_url: '', image_settings: settings(2, { prompt: '' }) }),
    ).toEqual([]);
  });

  it.each(['model', 'start_image', 'image_settings', 'resolution', 'payload', 'callback_url'])(
    'refuse every wrong type of %s',
    (field) => {
      const types = WRONG_TYPES.filter((value) => field !== 'payload' || typeof value !== 'string');
      for (const value of types) {
        const bad = badVideo({ [field]: value });
        expect([value, bad.length, bad[0]?.startsWith(field)]).toEqual([value, 1, true]);
      }
    },
  );

  it.each(['key_image', 'duration', 'prompt'])('refuse every wrong type of a setting of %s', (field) => {
    const types = WRONG_TYPES.filter((value) => field !== 'prompt' || typeof value !== 'string');
    for (const value of types) {
      const bad = badVideo({ image_settings: settings(2, { [field]: value }) });
      expect([value, bad]).toEqual([value, [`image_settings.${field}`]]);
    }
  });

  it('refuse every wrong type of a setting', () => {
    for (const value of [...WRONG_TYPES.filter((one) => typeof one !== 'object'), [], null, 7])
      expect([value, badVideo({ image_settings: [...settings(2), value] })]).toEqual([value, ['image_settings']]);
  });
});

describe('the fields of an upscale', () => {
  it.each<[string, unknown, unknown]>([
    ['scale_factor', 16, 17],
    ['scale_factor', 2, 1],
    ['sharpen', 100, 101],
    ['sharpen', 0, -1],
    ['smart_grain', 100, 101],
    ['smart_grain', 0, -1],
    ['ultra_detail', 100, 101],
    ['ultra_detail', 0, -1],
    ['image', png(6, 2), png(7, 2)],
    ['image', png(2, 6), png(2, 7)],
  ])('hold at the limit of %s and not one beyond', (field, at, beyond) => {
    expect(badUpscale({ [field]: at })).toEqual([]);
    expect(badUpscale({ [field]: beyond })).toEqual([field]);
  });

  it.each(['image', 'scale_factor', 'flavor', 'sharpen', 'smart_grain', 'ultra_detail', 'webhook_url'])(
    'refuse every wrong type of %s',
    (field) => {
      for (const value of WRONG_TYPES) expect([value, badUpscale({ [field]: value })]).toEqual([value, [field]]);
    },
  );

  it('need no more than an image', () => {
    expect(badUpscale({})).toEqual([]);
    for (const absent of [undefined, null, '']) expect(badUpscale({ image: absent })).toEqual(['image']);
    const none = {
      scale_factor: null,
      flavor: null,
      sharpen: null,
      smart_grain: null,
      ultra_detail: null,
      webhook_url: null,
    };
    expect(badUpscale(none)).toEqual([]);
  });
});
