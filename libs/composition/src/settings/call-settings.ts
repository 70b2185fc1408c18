import { choice, declareSettings, flag, list, optionalText, text, wholeNumber } from '@heddle/platform-settings';

/** Settings of a process that calls other services. */
export const CALLER_SETTINGS = declareSettings('calls', {
  serviceToken: optionalText('SERVICE_TOKEN', {
    meaning: 'tokens of this process, one per called service and line',
    secret: true,
    // Its file is a setting of its own, because it is read again.
    fromFile: false,
  }),
  serviceTokenFile: optionalText('SERVICE_TOKEN_FILE', {
    unit: 'file',
    meaning: 'file with those tokens instead; read again when it changes',
  }),
});

/** Settings of a process that other services call. */
export const CALLED_SETTINGS = declareSettings('calls', {
  callsPort: wholeNumber(
    'CALLS_PORT',
    8290,
    { min: 1, max: 65_535 },
    { unit: 'port', meaning: 'port for calls of other services' },
  ),
  callsHost: text('CALLS_HOST', '127.0.0.1', { meaning: 'listen address for calls' }),
  callsAddress: optionalText('CALLS_ADDRESS', {
    unit: 'URL',
    meaning: 'how other replicas reach it; unset: of CALLS_HOST and CALLS_PORT',
  }),
  servicePublicKey: optionalText('SERVICE_PUBLIC_KEY', {
    meaning: 'PEM of the key that signs service tokens; several, one after the other, during a key change',
    fromFile: true,
  }),
  serviceTokenAudience: choice('SERVICE_TOKEN_AUDIENCE', 'optional', ['optional', 'required'], {
    meaning: 'required: tokens without an audience, from older versions, are refused',
  }),
});

/** Settings of both ends of calls. */
export const CALLS_TLS_SETTINGS = declareSettings('calls', {
  callsTlsCert: optionalText('CALLS_TLS_CERT', {
    unit: 'file',
    meaning: 'PEM of the certificate of CALLS_PORT; unset: plain',
  }),
  callsTlsKey: optionalText('CALLS_TLS_KEY', { unit: 'file', meaning: 'with CALLS_TLS_CERT' }),
  callsTlsCa: optionalText('CALLS_TLS_CA', { unit: 'file', meaning: "PEM that signs other services' certificates" }),
  callsTlsName: optionalText('CALLS_TLS_NAME', {
    meaning: 'name that a certificate must carry where a service is called by address; unset: the address',
  }),
  callsPlain: flag('CALLS_PLAIN', false, {
    meaning: 'allow calls beyond loopback without TLS, if a mesh encrypts them; otherwise they are refused at start',
  }),
});

/** Settings of the service that workers connect to. */
export const WORK_PORT_SETTINGS = declareSettings('calls', {
  workPort: wholeNumber(
    'WORK_PORT',
    8390,
    { min: 1, max: 65_535 },
    { unit: 'port', meaning: 'port of the jobs service for workers (gRPC), on CALLS_HOST' },
  ),
});

/** Settings of the service whose calls carry bytes. */
export const BYTES_PORT_SETTINGS = declareSettings('calls', {
  bytesPort: wholeNumber(
    'BYTES_PORT',
    8291,
    { min: 1, max: 65_535 },
    { unit: 'port', meaning: 'port of the assets service for bytes (HTTP/1.1), on CALLS_HOST' },
  ),
});

/** Addresses of the services. */
export const ADDRESS_SETTINGS = declareSettings('calls', {
  jobsUrls: list('JOBS_URLS', { unit: 'a,b', meaning: 'URL of the jobs service for calls' }),
  workUrls: list('WORK_URLS', { unit: 'a,b', meaning: 'URL of the jobs service for workers: its WORK_PORT' }),
  assetsUrls: list('ASSETS_URLS', { unit: 'a,b', meaning: 'URL of the assets service for calls' }),
  assetsBytesUrls: list('ASSETS_BYTES_URLS', {
    unit: 'a,b',
    meaning: 'URL of the assets service for bytes: its BYTES_PORT; unset: the hosts of ASSETS_URLS at 8291',
  }),
  validationUrls: list('VALIDATION_URLS', { unit: 'a,b', meaning: 'URL of the validation service for calls' }),
  registryUrls: list('REGISTRY_URLS', { unit: 'a,b', meaning: 'URL of the registry service for calls' }),
  logsUrls: list('LOGS_URLS', {
    unit: 'a,b',
    meaning: 'URL of the logs service for calls; self-hosted has no execution logs and needs none',
  }),
});
