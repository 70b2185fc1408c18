import 'reflect-metadata';
import { DataFolderInUseError } from '@heddle/platform-database';
import { PortTakenError } from './listen.js';
import { readSettingFlags, renderSettings } from './settings/setting-flags.js';
import { SettingRefused } from './settings/setting-kinds.js';
import { SETTINGS } from './settings/settings-table.js';
import { readSettings, unknownSettings } from './settings/settings.js';
import { startStandalone } from './standalone.js';

/** A stop that takes longer is cut short: what was acknowledged is safe in the log. */
const STOP_WITHIN_MS = 9_500;
/** A signal that comes again so soon is the same one, sent to the process and to its group. */
const SAME_SIGNAL_MS = 1_000;

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  if (words.includes('--help')) {
    process.stdout.write(`${renderSettings(Object.values(SETTINGS)).join('\n')}\n`);
    return;
  }
  for (const name of unknownSettings(process.env)) process.stderr.write(`heddle: ${name} is no setting; ignored\n`);
  const settings = readSettings({ ...process.env, ...readSettingFlags(words, Object.values(SETTINGS)) });
  const starting = startStandalone(settings);
  let stoppingSince: number | null = null;
  const stop = (): void => {
    if (stoppingSince !== null) {
      // Somebody insists: then without an orderly end.
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    // Where it did not even start, `main` tells why.
    void starting
      .then(async (running) => running.stop())
      .then(
        () => process.exit(0),
        () => undefined,
      );
  };
  // Before anybody can know that it runs: a signal that came earlier would leave the database server behind.
  process.on('SIGTERM', stop).on('SIGINT', stop);
  const running = await starting;
  if (stoppingSince === null) process.stdout.write(`heddle ready ${running.url}\n`);
}

main().catch((error: unknown) => {
  const told = [SettingRefused, DataFolderInUseError, PortTakenError].some((kind) => error instanceof kind);
  const text = error instanceof Error ? (told ? error.message : error.stack) : String(error);
  process.stderr.write(`heddle: ${text}\n`);
  process.exit(told ? 2 : 1);
});
