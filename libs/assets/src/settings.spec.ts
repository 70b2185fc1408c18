import { MANAGED_DEPLOYMENT_ID, newUuid, SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import type { DeploymentId } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { ASSETS_SETTINGS, AssetsSettings } from './settings.js';

const MONTH_S = 30 * 86_400;

describe('the retention of an upload', () => {
  it('is that of its surface, unless the operator sets one', () => {
    const all = [SELF_HOSTED_PRINCIPAL.deploymentId, MANAGED_DEPLOYMENT_ID, newUuid() as DeploymentId];
    const retentions = (settings: AssetsSettings): (number | null)[] => all.map((id) => settings.retentionOf(id));
    expect(retentions(new AssetsSettings())).toEqual([null, MONTH_S, MONTH_S]);
    expect(retentions(new AssetsSettings({ uploadRetentionMs: 90_000 }))).toEqual([90, 90, 90]);
  });
});

describe('the address of the scanner', () => {
  it('is an http or https URL, or unset', () => {
    const read = (text?: string) => ASSETS_SETTINGS.moderationUrl.read(text)?.href ?? null;
    expect([read(), read(''), read('https://user:pw@scan.example/x')]).toEqual([
      null,
      null,
      'https://user:pw@scan.example/x',
    ]);
    for (const wrong of ['scanner', 'ftp://scan.example', '127.0.0.1:9000', '/scan']) {
      expect(() => read(wrong)).toThrow('must be an http or https URL');
    }
  });
});
