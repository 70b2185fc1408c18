import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertPortsFree, readSettings, unknownSettings } from '@heddle/composition';
import { DataFolderInUseError, makeDataFolder } from '@heddle/platform-database';
import type { InstanceLock } from '@heddle/platform-database';
import type { ClusterCommand } from './command.js';
import { Launcher } from './launcher.js';
import { PlainProgress } from './progress/plain-progress.js';
import type { Progress } from './progress/progress.js';
import { TerminalProgress } from './progress/terminal-progress.js';
import { AlreadyRunningError } from './already-running-error.js';
import { launcherLock } from './status/cluster-state.js';
import { stopLeftovers } from './stop-leftovers.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Lifecycle of the launcher: one per data folder, until it is stopped or a process cannot be kept running. */
export async function runCluster(
  command: ClusterCommand,
  env: Readonly<Record<string, string | undefined>>,
  dataDir: string,
): Promise<void> {
  const settings = readSettings(env);
  makeDataFolder(dataDir);
  const lock = takeFolder(dataDir);
  process.once('exit', () => lock.release());
  const progress = progressOn(process.stderr);
  // Services get only the settings that they read.
  for (const unknown of unknownSettings(env)) progress.say(unknown);
  // Checked early because the gateway listens last.
  await assertPortsFree([{ setting: 'HEDDLE_PORT', host: settings.host, port: settings.port }]);
  if (await stopLeftovers(dataDir)) progress.say('stopped the processes that a killed run left behind');
  const launcher = new Launcher(dataDir, settings, progress);
  launcher.stopOnSignals();
  await launcher.run({
    settings,
    env: Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    replicas: command.replicas,
    deployments: command.deployments,
    brokers: command.brokers,
    dataDir,
    cacheDir: join(ROOT, '.cache'),
    progress,
  });
}

function takeFolder(dataDir: string): InstanceLock {
  const lock = launcherLock(dataDir);
  try {
    lock.acquire();
  } catch (error) {
    if (error instanceof DataFolderInUseError) throw new AlreadyRunningError(dataDir, error.pid);
    throw error;
  }
  return lock;
}

function progressOn(stream: NodeJS.WriteStream): Progress {
  const moves = stream.isTTY && process.env['TERM'] !== 'dumb' && (process.env['CI'] ?? '') === '';
  return moves ? new TerminalProgress(stream) : new PlainProgress((line) => void stream.write(`heddle: ${line}\n`));
}
