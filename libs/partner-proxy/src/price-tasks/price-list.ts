import { readFile } from 'node:fs/promises';
import { DEFAULT_PRICES } from '@heddle/partner-proxy-domain';
import type { ProxyPrices, VideoRate } from '@heddle/partner-proxy-domain';
import { isJsonObject } from '@heddle/platform-http';
import { SettingRefused } from '@heddle/platform-settings';

const MAX_PRICE = 1_000_000;
const EXAMPLE =
  '{"video": {"vendorq2-pro": {"other": {"per_setting": 32, "per_second": 11}}}, "image": {"per_doubling": 20}}';

/** The prices that hold in this process. */
export class ProxyPricesHolder {
  constructor(readonly prices: ProxyPrices) {}
}

/** True: no call costs anything. */
export function isFree({ video, perDoubling }: ProxyPrices): boolean {
  const rates = Object.values(video).flatMap((byResolution) => Object.values(byResolution));
  return perDoubling === 0 && rates.every(({ perSetting, perSecond }) => perSetting === 0 && perSecond === 0);
}

/** Prices of a file, or the built-in ones. What a file does not name costs what it costs without the file. */
export async function readPrices(path: string | null): Promise<ProxyPrices> {
  if (path === null) return DEFAULT_PRICES;
  try {
    return pricesIn(JSON.parse(await readFile(path, 'utf8')) as unknown);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SettingRefused(`HEDDLE_PROXY_PRICES ${path} must be a JSON file such as ${EXAMPLE}: ${why}`);
  }
}

function pricesIn(file: unknown): ProxyPrices {
  const { video, image } = objectOf(file, 'the file');
  const given = Object.entries(objectOf(video ?? {}, 'video')).map(([model, rates]) => {
    if (DEFAULT_PRICES.video[model] === undefined) throw new TypeError(`there is no model ${model}`);
    const named = Object.entries(objectOf(rates, model)).map(([resolution, rate]) => [resolution, rateOf(rate, model)]);
    return [model, { ...DEFAULT_PRICES.video[model], ...(Object.fromEntries(named) as Record<string, VideoRate>) }];
  });
  const { per_doubling: perDoubling = DEFAULT_PRICES.perDoubling } = objectOf(image ?? {}, 'image');
  return {
    video: { ...DEFAULT_PRICES.video, ...(Object.fromEntries(given) as ProxyPrices['video']) },
    perDoubling: wholeOf(perDoubling, 'image.per_doubling'),
  };
}

function rateOf(value: unknown, model: string): VideoRate {
  const { per_setting: perSetting, per_second: perSecond } = objectOf(value, model);
  return { perSetting: wholeOf(perSetting, 'per_setting'), perSecond: wholeOf(perSecond, 'per_second') };
}

function objectOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (isJsonObject(value)) return value;
  throw new TypeError(`${name} must be an object`);
}

function wholeOf(value: unknown, name: string): number {
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_PRICE) return value as number;
  throw new TypeError(`${name} must be a whole number from 0 to ${MAX_PRICE}`);
}
