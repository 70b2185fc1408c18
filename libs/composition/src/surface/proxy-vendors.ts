import { randomBytes } from 'node:crypto';
import { Secret, SURFACES } from '@heddle/contracts-messages';
import type { PartnerProxyModuleOptions, VendorAccess } from '@heddle/partner-proxy';
import { readPrices } from '@heddle/partner-proxy/prices';
import { partnerProxySettings } from '@heddle/partner-proxy/settings';
import { SettingRefused } from '@heddle/platform-settings';
import type { ServiceProcess } from '../process/service-process.js';
import type { Settings } from '../settings/settings.js';

type ProxyVendors = Pick<PartnerProxyModuleOptions, 'vendors' | 'callbackSecrets'>;

const SIMULATED = 'simulated';
const KEY_BYTES = 32;

/** Where each vendor is: a URL, `simulated`, or null: there is none (registry decisions, Vendor). */
function placesOf(settings: Settings): { readonly video: string | null; readonly image: string | null } {
  const unset = SURFACES[settings.surface].credential === 'keys' ? null : SIMULATED;
  const { videoUrl, imageUrl } = partnerProxySettings(settings, {});
  return { video: videoUrl ?? unset, image: imageUrl ?? unset };
}

/**
 * What ends the start, not the first request.
 *
 * @throws SettingRefused for a vendor without its key, prices that cannot be read, and values that mean nothing
 */
export async function assertProxySettings(settings: Settings): Promise<void> {
  assertVendorKeys(settings);
  await readPrices(settings.proxyPrices);
}

function assertVendorKeys(settings: Settings): void {
  const { video, image } = placesOf(settings);
  const refuse = (name: string): never => {
    throw new SettingRefused(`HEDDLE_${name}_KEY is unset: HEDDLE_${name}_URL names a vendor, which needs its API key`);
  };
  if (video !== null && video !== SIMULATED && settings.videovendorKey === null) refuse('VIDEOVENDOR');
  if (image !== null && image !== SIMULATED && settings.imagevendorKey === null) refuse('IMAGEVENDOR');
  for (const [name, key] of [
    ['VIDEOVENDOR', settings.videovendorKey],
    ['IMAGEVENDOR', settings.imagevendorKey],
  ] as const)
    if (key !== null && !/^[\x21-\x7e]+$/.test(key))
      throw new SettingRefused(`HEDDLE_${name}_KEY must be printable ASCII without spaces, as a header carries it`);
}

/** The vendors of the settings. Simulated ones run in this process, until it stops. */
export async function openProxyVendors(service: ServiceProcess): Promise<ProxyVendors> {
  const { settings } = service;
  const places = placesOf(settings);
  const simulated = Object.values(places).includes(SIMULATED) ? await simulate(service) : null;
  const accessOf = (place: string | null, key: string | null): VendorAccess | null => {
    if (place === SIMULATED) return simulated!.access;
    return place === null || key === null ? null : { url: place, key: new Secret(key) };
  };
  const video = accessOf(places.video, settings.videovendorKey);
  const image = accessOf(places.image, settings.imagevendorKey);
  const { imagevendorWebhookSecret: given } = settings;
  const imageSecret = places.image === SIMULATED ? simulated!.webhookSecret : given === null ? null : new Secret(given);
  // The video vendor signs with the API key itself.
  return { vendors: { video, image }, callbackSecrets: { video: video?.key ?? null, image: imageSecret } };
}

async function simulate(
  service: ServiceProcess,
): Promise<{ readonly access: VendorAccess; readonly webhookSecret: Secret }> {
  const { startSimulatedVendor } = await import('@heddle/partner-proxy-simulated-vendor');
  const key = randomBytes(KEY_BYTES).toString('hex');
  const imageWebhookSecret = `whsec_${randomBytes(KEY_BYTES).toString('base64')}`;
  const { url, close } = await startSimulatedVendor({ videoKey: key, imageKey: key, imageWebhookSecret });
  service.onStop('simulated vendors', close);
  return { access: { url, key: new Secret(key) }, webhookSecret: new Secret(imageWebhookSecret) };
}
