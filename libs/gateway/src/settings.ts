import { AUTH_FAILURES } from '@heddle/platform-http/failed-credentials';
import {
  ANY_COUNT,
  AT_LEAST_ONE,
  bracketed,
  choice,
  declareSettings,
  flag,
  hosts,
  list,
  loopbackOf,
  optionalDomain,
  optionalText,
  optionalToken,
  positiveSeconds,
  readDeclared,
  seconds,
  text,
  wholeNumber,
} from '@heddle/platform-settings';
import type { SettingValues } from '@heddle/platform-settings';
import type { UrlExpiry } from './render-wire/url-expiry.js';
import type { Surface } from '@heddle/contracts-messages';

/** What an operator sets of the gateway. */
export const GATEWAY_SETTINGS = {
  ...declareSettings('api', {
    port: wholeNumber('PORT', 8189, { min: 0, max: 65_535 }, { unit: 'port', meaning: 'port of the API' }),
    host: text('HOST', '127.0.0.1', {
      meaning: 'listen address; a non-loopback address requires a token and HEDDLE_ALLOWED_HOSTS',
    }),
    surface: choice('SURFACE', 'self-hosted', ['self-hosted', 'managed', 'dedicated'], {
      meaning: 'which surface is served',
    }),
    staticToken: optionalToken('STATIC_TOKEN', { meaning: 'bearer token that every request must carry' }),
    publicBaseUrl: optionalText('PUBLIC_BASE_URL', {
      meaning: 'origin of the links in answers; unset: that of the request',
    }),
    signedUrlKeys: optionalText('SIGNED_URL_KEYS', {
      unit: 'file',
      meaning:
        'keys of the signed URLs that Heddle serves itself, one id:base64 a line, the last one signs; unset: made in HEDDLE_DATA',
    }),
    signedBaseUrl: optionalText('SIGNED_BASE_URL', {
      meaning: 'origin of those URLs; unset: that of other links',
    }),
    publicScheme: choice('PUBLIC_SCHEME', 'http', ['http', 'https'], {
      meaning: 'scheme of the links in answers, unless a trusted proxy names it',
    }),
    authFailures: wholeNumber('AUTH_FAILURES', AUTH_FAILURES, AT_LEAST_ONE, {
      unit: 'keys',
      meaning: 'maximum wrong API keys a minute from one address',
    }),
    coldStart: seconds('COLD_START_S', 60, {
      meaning: 'Retry-After of a deployment that starts for the first time, less the time passed',
    }),
    unavailableRetry: seconds('UNAVAILABLE_RETRY_S', 30, { meaning: 'Retry-After of an unavailable deployment' }),
    deploymentHost: optionalDomain('DEPLOYMENT_HOST', {
      unit: 'host',
      meaning: 'dedicated deployments are served at LABEL.host and LABEL.stg.host',
    }),
    managedHosts: hosts('MANAGED_HOSTS', {
      unit: 'a,b',
      meaning: 'the only hosts of the managed surface; unset: every host except those of deployments',
    }),
    trustForwarded: flag('TRUST_FORWARDED', false, { meaning: 'trust X-Forwarded-Host and -Proto' }),
    allowedHosts: hosts('ALLOWED_HOSTS', {
      unit: 'a,b',
      meaning: 'accepted host names and addresses beside loopback and HEDDLE_HOST',
    }),
    corsOrigins: list('CORS_ORIGINS', { unit: 'a,b', meaning: 'origins of web pages that may call' }),
    urlExpiry: choice('URL_EXPIRY', 'timestamp', ['timestamp', 'null'], {
      meaning: 'url_expires_at of assets and outputs: now + 24 h, or null',
    }),
  }),
  ...declareSettings('streams', {
    streamsAccount: wholeNumber('STREAMS_ACCOUNT', 256, ANY_COUNT, {
      unit: 'streams',
      meaning: 'maximum open event streams of an account',
    }),
    streams: wholeNumber('STREAMS', 10_000, ANY_COUNT, {
      unit: 'streams',
      meaning: 'maximum open event streams of the process',
    }),
    heartbeat: positiveSeconds('HEARTBEAT_S', 15, { meaning: 'interval of comments on an idle event stream' }),
    streamsDrain: seconds('STREAMS_DRAIN_S', 2, { meaning: 'time over which a stop spreads the ends of open streams' }),
  }),
  ...declareSettings('requests', {
    bodyBytes: wholeNumber('BODY_BYTES', 10 * 1024 ** 2, AT_LEAST_ONE, {
      unit: 'bytes',
      meaning: 'maximum body of a submission',
    }),
    bodyTimeout: positiveSeconds('BODY_TIMEOUT_S', 30, { meaning: 'time-out for a JSON body' }),
    urlBytes: wholeNumber(
      'URL_BYTES',
      4096,
      { min: 64, max: 65_536 },
      { unit: 'bytes', meaning: 'maximum request target' },
    ),
    headerBytes: wholeNumber(
      'HEADER_BYTES',
      16_384,
      { min: 256, max: 1_048_576 },
      { unit: 'bytes', meaning: 'maximum headers of a request' },
    ),
    headerLines: wholeNumber('HEADER_LINES', 64, AT_LEAST_ONE, {
      unit: 'lines',
      meaning: 'maximum headers of a request',
    }),
    readRate: seconds('READ_RATE', 50, { unit: '1/s', meaning: 'maximum rate of job reads of an account' }),
    readBurst: wholeNumber('READ_BURST', 200, AT_LEAST_ONE, {
      unit: 'reads',
      meaning: 'maximum burst of job reads of an account',
    }),
  }),
};

type Values = SettingValues<typeof GATEWAY_SETTINGS>;

/** Settings that other parts of the process declare, and the gateway keeps to as well. */
interface OfOthers {
  readonly uploadBytes: number;
  readonly uploadOverheadBytes: number;
  readonly stalled: number;
}

/** What an operator set, in the gateway's own terms: durations in milliseconds. */
export function gatewaySettings(values: Values & OfOthers): Partial<GatewaySettings> & ProcessLimits {
  return {
    ...ofOperator(values),
    uploadBytes: values.uploadBytes,
    uploadRequestBytes: values.uploadBytes + values.uploadOverheadBytes,
    stalledMs: values.stalled * 1_000,
  };
}

/**
 * Hosts by which requests may come: those of HEDDLE_ALLOWED_HOSTS, and the one address that the operator chose to listen on.
 * A wildcard is not one: `http://0.0.0.0` is how web pages reach past the rules for loopback.
 */
export function answeredHosts({ host, allowedHosts }: Pick<Values, 'host' | 'allowedHosts'>): readonly string[] {
  return loopbackOf(host) !== null ? allowedHosts : [...allowedHosts, bracketed(host).toLowerCase()];
}

function ofOperator(values: Values) {
  return {
    surface: values.surface,
    staticToken: values.staticToken,
    publicBaseUrl: values.publicBaseUrl,
    signedBaseUrl: values.signedBaseUrl,
    publicScheme: values.publicScheme,
    authFailures: values.authFailures,
    coldStartS: values.coldStart,
    unavailableRetryS: values.unavailableRetry,
    deploymentHost: values.deploymentHost,
    managedHosts: values.managedHosts,
    trustForwarded: values.trustForwarded,
    allowedHosts: answeredHosts(values),
    corsOrigins: values.corsOrigins,
    urlExpiry: values.urlExpiry,
    readRate: values.readRate,
    readBurst: values.readBurst,
    streamsPerAccount: values.streamsAccount,
    streamsPerProcess: values.streams,
    heartbeatMs: values.heartbeat * 1_000,
    streamsDrainMs: values.streamsDrain * 1_000,
  };
}

const DEFAULTS = ofOperator(readDeclared(GATEWAY_SETTINGS, {}));

/** What the gateway keeps to; without changes, the defaults of the declarations. */
export class GatewaySettings {
  readonly surface: Surface = DEFAULTS.surface;
  readonly staticToken: string | null = DEFAULTS.staticToken;
  readonly publicBaseUrl: string | null = DEFAULTS.publicBaseUrl;
  readonly signedBaseUrl: string | null = DEFAULTS.signedBaseUrl;
  readonly publicScheme: 'http' | 'https' = DEFAULTS.publicScheme;
  readonly authFailures: number = DEFAULTS.authFailures;
  readonly coldStartS: number = DEFAULTS.coldStartS;
  readonly unavailableRetryS: number = DEFAULTS.unavailableRetryS;
  readonly deploymentHost: string | null = DEFAULTS.deploymentHost;
  readonly managedHosts: readonly string[] = DEFAULTS.managedHosts;
  readonly trustForwarded: boolean = DEFAULTS.trustForwarded;
  /** Beside loopback. */
  readonly allowedHosts: readonly string[] = DEFAULTS.allowedHosts;
  readonly corsOrigins: readonly string[] = DEFAULTS.corsOrigins;
  readonly urlExpiry: UrlExpiry = DEFAULTS.urlExpiry;
  readonly readRate: number = DEFAULTS.readRate;
  readonly readBurst: number = DEFAULTS.readBurst;
  readonly streamsPerAccount: number = DEFAULTS.streamsPerAccount;
  readonly streamsPerProcess: number = DEFAULTS.streamsPerProcess;
  readonly heartbeatMs: number = DEFAULTS.heartbeatMs;
  readonly streamsDrainMs: number = DEFAULTS.streamsDrainMs;
  /** Maximum bytes of an uploaded file. */
  readonly uploadBytes: number;
  /**
   * Maximum bytes of a whole upload, multipart frame included: a larger announced length is refused before it is sent.
   */
  readonly uploadRequestBytes: number;
  /** A stream whose reader accepts nothing for this long is closed. */
  readonly stalledMs: number;
  /** A watched job without events for this long is read again. */
  readonly silenceMs: number = 15_000;
  readonly queuePositionMs: number = 2_000;
  /** Maximum bytes of the latest previews of running jobs, kept for later streams. */
  readonly previewBytes: number = 16 * 1024 * 1024;

  constructor(given: Partial<GatewaySettings> & ProcessLimits) {
    this.uploadBytes = given.uploadBytes;
    this.uploadRequestBytes = given.uploadRequestBytes;
    this.stalledMs = given.stalledMs;
    Object.assign(this, given);
  }
}

/** Limits without a default here: the parts of the process that declare them have it. */
type ProcessLimits = Pick<GatewaySettings, 'uploadBytes' | 'uploadRequestBytes' | 'stalledMs'>;
