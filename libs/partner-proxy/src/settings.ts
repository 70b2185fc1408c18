import type { Surface } from '@heddle/contracts-messages';
import { AUTH_FAILURES } from '@heddle/platform-http/failed-credentials';
import { AllowedTargets } from '@heddle/platform-outbound';
import {
  declareSettings,
  flag,
  httpUrlFault,
  list,
  optionalText,
  readDeclared,
  positiveSeconds,
  seconds,
  SettingRefused,
  shownUrl,
  text,
} from '@heddle/platform-settings';
import type { SettingValues } from '@heddle/platform-settings';

const DAY = 86_400;
const VENDOR_URL = 'or simulated, which runs one in this process; unset: simulated on self-hosted, else none';

/** What an operator sets of the partner proxy. */
export const PARTNER_PROXY_SETTINGS = declareSettings('proxy', {
  videovendorUrl: optionalText('VIDEOVENDOR_URL', {
    unit: 'url',
    meaning: `address of the video vendor, ${VENDOR_URL}`,
  }),
  videovendorKey: optionalText('VIDEOVENDOR_KEY', { meaning: 'API key at the video vendor', secret: true }),
  videovendorModels: text('VIDEOVENDOR_MODELS', 'vendorq2-pro=viduq2-pro,vendorq2-turbo=viduq2-turbo', {
    unit: 'a=b,c=d',
    meaning: 'names of the models at the video vendor',
  }),
  imagevendorUrl: optionalText('IMAGEVENDOR_URL', {
    unit: 'url',
    meaning: `address of the image vendor, ${VENDOR_URL}`,
  }),
  imagevendorKey: optionalText('IMAGEVENDOR_KEY', { meaning: 'API key at the image vendor', secret: true }),
  imagevendorWebhookSecret: optionalText('IMAGEVENDOR_WEBHOOK_SECRET', {
    meaning: 'secret by which the image vendor signs its callbacks; unset: none is accepted, tasks are polled',
    secret: true,
  }),
  proxyPrices: optionalText('PROXY_PRICES', {
    unit: 'file',
    meaning: 'JSON file with the prices of models; unset: the built-in prices',
  }),
  proxyAllowAnonymous: flag('PROXY_ALLOW_ANONYMOUS', false, {
    meaning: 'calls without a credential are accepted if their price is 0',
  }),
  proxyTask: positiveSeconds('PROXY_TASK_S', DAY, { meaning: 'time after which a task fails and is refunded' }),
  proxyRetention: positiveSeconds('PROXY_RETENTION_S', 30 * DAY, {
    meaning: 'how long an ended task is kept, with its payload and its callbacks',
  }),
  proxyPoll: seconds('PROXY_POLL_S', 2, { meaning: 'minimum time between two status calls to the vendor for a task' }),
  proxyTimeout: positiveSeconds('PROXY_TIMEOUT_S', 60, { meaning: 'time-out of a call to a vendor' }),
  callbackRetry: text('CALLBACK_RETRY_S', '5,30,120,600,3600', {
    unit: 's,s',
    meaning: 'waits before each further attempt to deliver a callback; after the last one it is dead',
  }),
  callbackAllow: list('CALLBACK_ALLOW', {
    unit: 'host:port,…',
    meaning: 'hosts that callbacks may reach although the rules forbid their address or http',
  }),
});

type Values = SettingValues<typeof PARTNER_PROXY_SETTINGS>;

/** What an operator set, in the context's own terms: durations in milliseconds. */
export function partnerProxySettings(values: Values, others: Partial<PartnerProxySettings>): PartnerProxySettings {
  return new PartnerProxySettings({ ...ofOperator(values), ...others });
}

function ofOperator(values: Values) {
  return {
    allowAnonymous: values.proxyAllowAnonymous,
    taskMs: values.proxyTask * 1_000,
    retentionMs: values.proxyRetention * 1_000,
    pollMs: values.proxyPoll * 1_000,
    timeoutMs: values.proxyTimeout * 1_000,
    retryMs: waitsIn(values.callbackRetry),
    callbackAllow: targetsIn(values.callbackAllow),
    videoUrl: vendorUrl('VIDEOVENDOR_URL', values.videovendorUrl),
    imageUrl: vendorUrl('IMAGEVENDOR_URL', values.imagevendorUrl),
    models: modelsIn(values.videovendorModels),
  };
}

const DEFAULTS = ofOperator(readDeclared(PARTNER_PROXY_SETTINGS, {}));

/** Settings of the partner proxy. The defaults come from the declarations. */
export class PartnerProxySettings {
  readonly surface: Surface = 'self-hosted';
  /** Guards what needs an account, on self-hosted. */
  readonly staticToken: string | null = null;
  readonly authFailures: number = AUTH_FAILURES;
  readonly allowAnonymous: boolean = DEFAULTS.allowAnonymous;
  readonly taskMs: number = DEFAULTS.taskMs;
  /** Of a task after its end. */
  readonly retentionMs: number = DEFAULTS.retentionMs;
  readonly pollMs: number = DEFAULTS.pollMs;
  /** After a larger jump of the database's clock nothing ends by it, until it is right or has stayed for this long. */
  readonly clockToleranceMs: number = 300_000;
  readonly timeoutMs: number = DEFAULTS.timeoutMs;
  /** Waits before each further attempt of a delivery. */
  readonly retryMs: readonly number[] = DEFAULTS.retryMs;
  /** `host:port` in lower case. */
  readonly callbackAllow: readonly string[] = DEFAULTS.callbackAllow;
  /** Without a last slash; `simulated`: one in this process; null: the default of the surface. */
  readonly videoUrl: string | null = DEFAULTS.videoUrl;
  readonly imageUrl: string | null = DEFAULTS.imageUrl;
  /** Names of models at the video vendor. */
  readonly models: Readonly<Record<string, string>> = DEFAULTS.models;
  /** Address of the registry as the operator set it, without a last slash; null: none is set. */
  readonly publicUrl: string | null = null;
  /** Host names by which the operator lets clients reach the registry: vendors may call them. */
  readonly callbackHosts: readonly string[] = [];
  /** Hosts of this service, without port: no URL of a client may lead to them. */
  readonly ownHosts: readonly string[] = [];

  constructor(values: Partial<PartnerProxySettings> = {}) {
    Object.assign(this, values);
  }
}

function targetsIn(entries: readonly string[]): readonly string[] {
  for (const entry of entries) {
    if (AllowedTargets.parse([entry]) !== null) continue;
    throw new SettingRefused(
      `HEDDLE_CALLBACK_ALLOW must list host:port with commas: "${entry}" has no host or no port`,
    );
  }
  return entries.map((entry) => entry.toLowerCase());
}

function waitsIn(text: string): readonly number[] {
  const waits = text.split(',').map((wait) => Number(wait) * 1_000);
  const isList = waits.length <= 20 && waits.every((wait) => Number.isFinite(wait) && wait >= 0);
  if (isList) return waits;
  throw new SettingRefused(
    `HEDDLE_CALLBACK_RETRY_S must be up to 20 numbers of seconds with commas, such as 5,30,120, not "${text}"`,
  );
}

function vendorUrl(name: string, given: string | null): string | null {
  if (given === null || given === 'simulated') return given;
  const fault = httpUrlFault(given);
  if (fault === null) return given.replace(/\/$/, '');
  throw new SettingRefused(
    `HEDDLE_${name} must be simulated or a URL such as https://api.example.com: "${shownUrl(given)}" ${fault}`,
  );
}

function modelsIn(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((pair) => pair.split('=').map((part) => part.trim()));
  if (pairs.every((pair) => pair.length === 2 && pair.every((part) => part !== '')))
    return Object.fromEntries(pairs) as Record<string, string>;
  throw new SettingRefused(
    `HEDDLE_VIDEOVENDOR_MODELS must list pairs such as vendorq2-pro=viduq2-pro with commas, not "${text}"`,
  );
}
