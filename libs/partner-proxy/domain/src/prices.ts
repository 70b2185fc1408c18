/** Whole credits of a model: for each setting and for each second of all durations. */
export interface VideoRate {
  readonly perSetting: number;
  readonly perSecond: number;
}

export interface ProxyPrices {
  /** By model, then by resolution; `other` stands for every resolution that is not named. */
  readonly video: Readonly<Record<string, Readonly<Record<string, VideoRate>>>>;
  /** For each doubling of the sides that was begun. */
  readonly perDoubling: number;
}

/** The prices of the decisions (registry decisions, Price). */
export const DEFAULT_PRICES: ProxyPrices = {
  video: {
    'vendorq2-pro': { other: { perSetting: 32, perSecond: 11 }, '1080p': { perSetting: 64, perSecond: 16 } },
    'vendorq2-turbo': { other: { perSetting: 16, perSecond: 6 }, '1080p': { perSetting: 43, perSecond: 11 } },
  },
  perDoubling: 20,
};

/** Model and resolution are checked before. */
export function videoPrice(
  { video }: ProxyPrices,
  model: string,
  resolution: string,
  durations: readonly number[],
): number {
  const rates = video[model] ?? {};
  const { perSetting, perSecond } = rates[resolution] ?? rates['other'] ?? { perSetting: 0, perSecond: 0 };
  return durations.length * perSetting + durations.reduce((sum, seconds) => sum + seconds, 0) * perSecond;
}

export function upscalePrice({ perDoubling }: ProxyPrices, scaleFactor: number): number {
  return Math.ceil(Math.log2(scaleFactor)) * perDoubling;
}
