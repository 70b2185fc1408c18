import { SettingRefused } from '@heddle/platform-settings';
import type { SettingValues } from '@heddle/platform-settings';
import { describe, expect, it } from 'vitest';
import { partnerProxySettings } from './settings.js';
import type { PARTNER_PROXY_SETTINGS } from './settings.js';

type Values = SettingValues<typeof PARTNER_PROXY_SETTINGS>;

const GOOD = {
  proxyTask: 60,
  callbackRetry: '5,30',
  callbackAllow: ['Hooks.internal:8443', '[::1]:9000'],
  videovendorUrl: 'https://vendor.example/',
  imagevendorUrl: null,
  videovendorModels: 'a=b',
} as Partial<Values> as Values;

describe('the settings of the partner proxy', () => {
  it('are in milliseconds and in lower case', () =>
    expect(partnerProxySettings(GOOD, {})).toMatchObject({
      taskMs: 60_000,
      retryMs: [5_000, 30_000],
      callbackAllow: ['hooks.internal:8443', '[::1]:9000'],
      videoUrl: 'https://vendor.example',
      models: { a: 'b' },
    }));

  it.each([
    [{ callbackAllow: ['hooks.internal:8443', 'hooks.internal'] }, 'HEDDLE_CALLBACK_ALLOW', '"hooks.internal"'],
    [{ callbackAllow: ['https://hooks.internal:8443'] }, 'HEDDLE_CALLBACK_ALLOW', 'host:port'],
    [{ callbackRetry: '5,soon' }, 'HEDDLE_CALLBACK_RETRY_S', '5,soon'],
    [{ videovendorUrl: 'ftp://vendor.example' }, 'HEDDLE_VIDEOVENDOR_URL', 'ftp://vendor.example'],
    [{ videovendorModels: 'vendorq2-pro' }, 'HEDDLE_VIDEOVENDOR_MODELS', 'vendorq2-pro'],
  ])('refuse %j and name it', (wrong, name, value) => {
    const refused = (): unknown => partnerProxySettings({ ...GOOD, ...wrong }, {});
    expect(refused).toThrow(SettingRefused);
    expect(refused).toThrow(name);
    expect(refused).toThrow(value);
  });
});
