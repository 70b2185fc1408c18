import { TracingRefusedError } from '@heddle/platform-telemetry';
import { onStopSignal } from '@heddle/platform-telemetry/stop-signals';
import { heddleVersion } from '@heddle/platform-telemetry/version';
import { namedAsGiven, readFlags, renderSettings, swallowedFlags } from '../settings/setting-flags.js';
import type { ReadFlags } from '../settings/setting-flags.js';
import { SettingRefused } from '@heddle/platform-settings';
import { SETTINGS } from '../settings/settings-table.js';
import { requireBrokers } from '../connect/require-brokers.js';
import { readSettings, unknownSettings } from '../settings/settings.js';
import type { Settings } from '../settings/settings.js';
import { keepMemoryOutOfCoreDumps } from './core-dumps.js';
import { PortTakenError } from './listen.js';
import { ServiceProcess } from './service-process.js';
import { unresolvedHost } from './unresolved-host.js';
import { sayLine } from './wrap-words.js';

/** A repeated signal within this time is the same one, sent to the process and to its group. */
const SAME_SIGNAL_MS = 1_000;
/** An operator must change something: the message says what, and a stack would only hide it. */
const OPERATOR_ERRORS = [SettingRefused, PortTakenError, TracingRefusedError];

/** Nothing to change: a dependency is missing. */
class StartFailedError extends Error {}

/**
 * Lifecycle of a process: settings, start, `<words> ready <url>` on standard output, a stop on SIGTERM, SIGINT or
 * SIGHUP, and an exit code: 0 stopped in order, 2 a setting to change, 1 anything else.
 */
export function runService(
  name: string,
  readyWords: string,
  start: (service: ServiceProcess) => Promise<string>,
): void {
  run(name, readyWords, start).catch((error: unknown) => {
    const isOperators = OPERATOR_ERRORS.some((kind) => error instanceof kind);
    const inWords = isOperators || error instanceof StartFailedError;
    const text = error instanceof Error ? (inWords ? error.message : error.stack) : String(error);
    if (!inWords) process.stderr.write(`heddle: ${text}\n`);
    else for (const line of String(text).split('\n')) process.stderr.write(sayLine(line, process.stderr));
    process.exit(isOperators ? 2 : 1);
  });
}

async function settingsOf(name: string, flags: ReadFlags): Promise<Settings> {
  try {
    const refusals = [...flags.refusals, ...swallowedFlags(process.env)];
    const env = { ...process.env, ...flags.env };
    return readSettings(env, { refusals, hostRefusal: await unresolvedHost(env['HEDDLE_HOST']), of: name });
  } catch (error) {
    if (!(error instanceof SettingRefused)) throw error;
    throw new SettingRefused(namedAsGiven(error.message, flags), { cause: error });
  }
}

/** Acknowledged work is safe in the log. */
function cutShort({ logger, settings, unfinished }: ServiceProcess): never {
  const [part = 'the start', ...waiting] = unfinished;
  logger.warn({ part, waiting }, `the stop is cut short after ${settings.stop} s: ${part} did not end`);
  process.exit(1);
}

async function run(
  name: string,
  readyWords: string,
  start: (service: ServiceProcess) => Promise<string>,
): Promise<void> {
  const words = process.argv.slice(2);
  if (words.includes('--help')) {
    process.stdout.write(`${renderSettings(Object.values(SETTINGS)).join('\n')}\n`);
    return;
  }
  for (const unknown of unknownSettings(process.env)) {
    process.stderr.write(sayLine(unknown, process.stderr));
  }
  keepMemoryOutOfCoreDumps();
  const flags = readFlags(words, Object.values(SETTINGS));
  const settings = await settingsOf(name, flags);
  requireBrokers(name, settings);
  const service = new ServiceProcess(name, settings);
  const starting = start(service);
  let stoppingSince: number | null = null;
  const stop = (cause: NodeJS.Signals | 'disconnect'): void => {
    if (stoppingSince !== null) {
      // A second signal: exit without an orderly stop.
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    setTimeout(() => cutShort(service), settings.stop * 1_000).unref();
    service.logger.info({ cause }, 'stopping');
    service.askToStop();
    // If it did not even start, `run` reports why.
    void starting
      .then(() => service.stop())
      .then(
        () => {
          service.logger.info('stopped');
          process.exit(0);
        },
        () => undefined,
      );
  };
  // Registered before anyone can know that it runs: an earlier signal would leave started parts behind.
  onStopSignal(stop);
  // If the supervisor at the other end of the channel is killed, no other process would stop this one.
  process.on('disconnect', () => stop('disconnect'));
  process.channel?.unref();
  try {
    const url = await starting;
    service.serves();
    if (stoppingSince !== null) return;
    service.logger.info({ url, health: service.healthUrl, version: heddleVersion() }, 'started');
    process.stdout.write(`${readyWords} ready ${url}\n`);
  } catch (error) {
    await service.stop();
    // Stopped while waiting for a dependency: not a failure.
    if (stoppingSince !== null) process.exit(0);
    if (!(error instanceof Error)) throw error;
    const cause = service.causeOf(error);
    if (cause === 'operator') throw new SettingRefused(error.message, { cause: error });
    throw cause === 'environment' ? new StartFailedError(error.message, { cause: error }) : error;
  }
}
