import { describe, expect, it } from 'vitest';
import { DEFAULT_PRICES, upscalePrice, videoPrice } from './prices.js';

describe('the built-in prices', () => {
  it.each([
    ['vendorq2-pro', '720p', [5, 5], 2 * 32 + 10 * 11],
    ['vendorq2-pro', '540p', [2], 32 + 2 * 11],
    ['vendorq2-pro', '1080p', [7, 2], 2 * 64 + 9 * 16],
    ['vendorq2-turbo', '720p', [5, 5], 2 * 16 + 10 * 6],
    ['vendorq2-turbo', '1080p', [5], 43 + 5 * 11],
  ])('of %s in %s for %j are %d', (model, resolution, durations, credits) => {
    expect(videoPrice(DEFAULT_PRICES, model, resolution, durations)).toBe(credits);
  });

  it.each([
    [2, 20],
    [3, 40],
    [4, 40],
    [5, 60],
    [8, 60],
    [9, 80],
    [16, 80],
  ])('of an upscale by %d are %d: each doubling that was begun', (factor, credits) => {
    expect(upscalePrice(DEFAULT_PRICES, factor)).toBe(credits);
  });
});
