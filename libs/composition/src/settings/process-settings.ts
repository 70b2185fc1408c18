import {
  AT_LEAST_ONE,
  choice,
  declareSettings,
  optionalText,
  optionalToken,
  optionalWholeNumber,
  positiveSeconds,
  text,
  wholeNumber,
} from '@heddle/platform-settings';
import type { SettingValues } from '@heddle/platform-settings';
import type { ConnectionLimits } from '@heddle/platform-http/connection-guard';

/** Of the process with the admin API: the gateway, or standalone. */
export const ADMIN_SETTINGS = declareSettings('process', {
  adminToken: optionalToken('ADMIN_TOKEN', {
    meaning:
      'token of the admin API on the operations port (standalone and the launcher of a cluster make one; else unset: no admin API)',
  }),
});

/** Settings of every process. */
export const PROCESS_SETTINGS = {
  ...declareSettings('process', {
    logLevel: choice('LOG_LEVEL', 'info', ['debug', 'info', 'warn', 'error'], {
      meaning: 'minimum log level',
    }),
    opsHost: text('OPS_HOST', '127.0.0.1', { meaning: 'address of livez, readyz and metrics' }),
    opsPort: optionalWholeNumber(
      'OPS_PORT',
      { min: 0, max: 65_535 },
      { unit: 'port', meaning: 'livez, readyz and metrics, on 127.0.0.1', unsetMeans: 'port + 1000' },
    ),
    stop: positiveSeconds('STOP_S', 9.5, { meaning: 'maximum duration of a stop; then the process ends with code 1' }),
  }),
  ...declareSettings('tests', {
    failpoints: optionalText('FAILPOINTS', { meaning: 'failpoints that kill the process (tests only)' }),
  }),
  ...declareSettings('connections', {
    connections: wholeNumber('CONNECTIONS', 20_000, AT_LEAST_ONE, {
      unit: 'connections',
      meaning: 'maximum open connections of one port; more are closed at once',
    }),
    unauthenticatedConnections: wholeNumber('UNAUTHENTICATED_CONNECTIONS', 2_000, AT_LEAST_ONE, {
      unit: 'connections',
      meaning: 'maximum unauthenticated connections of these; a new one replaces the oldest',
    }),
    headersTimeout: positiveSeconds('HEADERS_TIMEOUT_S', 10, { meaning: 'time-out for the headers of a request' }),
    stalled: positiveSeconds('STALLED_S', 30, {
      meaning: 'maximum time that the reader of a connection may accept nothing',
    }),
    bodyBudget: wholeNumber('BODY_BUDGET_BYTES', 256 * 1024 ** 2, AT_LEAST_ONE, {
      unit: 'bytes',
      meaning: 'maximum bytes of bodies and of large answers that a process holds at once, on all of its ports',
    }),
  }),
};

/** Limits of every port of a process, and of the bodies that it holds. */
interface NetworkLimits {
  readonly connections: ConnectionLimits;
  readonly bodyBudgetBytes: number;
  /** Time-out for the head of a request. */
  readonly headMs: number;
}

export function networkLimits(settings: SettingValues<typeof PROCESS_SETTINGS>): NetworkLimits {
  return {
    connections: {
      connections: settings.connections,
      unauthenticated: settings.unauthenticatedConnections,
      stalledMs: settings.stalled * 1_000,
    },
    bodyBudgetBytes: settings.bodyBudget,
    headMs: settings.headersTimeout * 1_000,
  };
}
