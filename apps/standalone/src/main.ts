import 'reflect-metadata';
import { DataFolderInUseError } from '@heddle/platform-database';
import { SettingRefused } from './settings/setting-kinds.js';
import { readSettings, unknownSettings } from './settings/settings.js';
import { startStandalone } from './standalone.js';

/** A stop that takes longer is cut short: what was acknowledged is safe in the log. */
const STOP_WITHIN_MS = 9_500;

async function main(): Promise<void> {
  for (const name of unknownSettings(process.env)) process.stderr.write(`heddle: ${name} is no setting; ignored\n`);
  const starting = startStandalone(readSettings(process.env));
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
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
  if (!stopping) process.stdout.write(`heddle ready ${running.url}\n`);
}

main().catch((error: unknown) => {
  const known = error instanceof SettingRefused || error instanceof DataFolderInUseError;
  const text = error instanceof Error ? (known ? error.message : error.stack) : String(error);
  process.stderr.write(`heddle: ${text}\n`);
  process.exit(known ? 2 : 1);
});
