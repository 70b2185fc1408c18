import { choice, declareSettings, flag, list, optionalText, text, wholeNumber } from '@heddle/platform-settings';

/** Of a process that calls other services. */
export const CALLER_SETTINGS = declareSettings('calls', {
  serviceToken: optionalText('SERVICE_TOKEN', {
    meaning: 'who this process is: a token for each service that it calls, one in a line',
    secret: true,
  }),
  serviceTokenFile: optionalText('SERVICE_TOKEN_FILE', {
    unit: 'file',
    meaning: 'holds those tokens instead, and is read again when it changes',
  }),
});

/** Of a process that other services call. */
export const CALLED_SETTINGS = declareSettings('calls', {
  callsPort: wholeNumber(
    'CALLS_PORT',
    8290,
    { min: 1, max: 65_535 },
    { unit: 'port', meaning: 'where a service takes calls of others' },
  ),
  callsHost: text('CALLS_HOST', '127.0.0.1', { meaning: 'address it takes them on' }),
  callsAddress: optionalText('CALLS_ADDRESS', {
    unit: 'URL',
    meaning: 'how other replicas reach it; unset: of CALLS_HOST and CALLS_PORT',
  }),
  servicePublicKey: optionalText('SERVICE_PUBLIC_KEY', {
    meaning: "PEM of the key that signs services' tokens; several one after another while keys change",
  }),
  serviceTokenAudience: choice('SERVICE_TOKEN_AUDIENCE', 'optional', ['optional', 'required'], {
    meaning: 'required: tokens of versions before audiences are refused',
  }),
});

/** Of both ends of calls. */
export const CALLS_TLS_SETTINGS = declareSettings('calls', {
  callsTlsCert: optionalText('CALLS_TLS_CERT', {
    unit: 'file',
    meaning: 'PEM of the certificate of CALLS_PORT; unset: plain',
  }),
  callsTlsKey: optionalText('CALLS_TLS_KEY', { unit: 'file', meaning: 'with CALLS_TLS_CERT' }),
  callsTlsCa: optionalText('CALLS_TLS_CA', { unit: 'file', meaning: "PEM that signs other services' certificates" }),
  callsPlain: flag('CALLS_PLAIN', false, {
    meaning: 'calls beyond loopback without TLS, where a mesh encrypts; else they are refused at the start',
  }),
});

/** Of the service that workers connect to. */
export const WORK_PORT_SETTINGS = declareSettings('calls', {
  workPort: wholeNumber(
    'WORK_PORT',
    8390,
    { min: 1, max: 65_535 },
    { unit: 'port', meaning: 'where the jobs service takes its workers (gRPC), on CALLS_HOST' },
  ),
});

/** Where the services are. */
export const ADDRESS_SETTINGS = declareSettings('calls', {
  jobsUrls: list('JOBS_URLS', { unit: 'a,b', meaning: 'where the jobs service takes calls' }),
  workUrls: list('WORK_URLS', { unit: 'a,b', meaning: 'where the jobs service takes workers: its WORK_PORT' }),
  assetsUrls: list('ASSETS_URLS', { unit: 'a,b', meaning: 'where the assets service takes calls' }),
  validationUrls: list('VALIDATION_URLS', { unit: 'a,b', meaning: 'where the validation service takes calls' }),
  logsUrls: list('LOGS_URLS', { unit: 'a,b', meaning: 'where the logs service takes calls' }),
});
