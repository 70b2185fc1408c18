import { resolve } from 'node:path';
import { readCommand } from './command.js';
import type { ClusterCommand } from './command.js';
import { withDeployments } from './deployments/asked-deployments.js';
import { detach } from './detach.js';
import { exitCodeOf, linesOf } from './failure.js';
import { renderHelp } from './help.js';
import { runCluster } from './run-cluster.js';
import { showStatus } from './status/show-status.js';
import { stopRunning } from './stop-running.js';

async function main(): Promise<number | null> {
  const words = process.argv.slice(2);
  const command = readCommand(words);
  const env = withDeployments({ ...process.env, ...command.settings }, command.deployments);
  const dataDir = resolve(env['HEDDLE_DATA'] || '.heddle/cluster');
  return await run(command, { ...env, HEDDLE_DATA: dataDir }, dataDir, words);
}

/** Returns an exit code; null to continue. */
async function run(
  command: ClusterCommand,
  env: Readonly<Record<string, string | undefined>>,
  dataDir: string,
  words: readonly string[],
): Promise<number | null> {
  switch (command.action) {
    case 'help':
      process.stdout.write(`${renderHelp(helpColumns())}\n`);
      return 0;
    case 'status':
      return await showStatus(dataDir, command.json);
    case 'down':
      process.stderr.write(`heddle: ${await stopRunning(dataDir)}\n`);
      return 0;
    case 'detach':
      process.stdout.write(`heddle ready ${await detach(dataDir, words)}\n`);
      return 0;
    case 'run':
      await runCluster(command, env, dataDir);
      return null;
  }
}

/** Output to a file or pipe is not wrapped. */
function helpColumns(): number {
  return process.stdout.isTTY ? Math.max(40, process.stdout.columns) : Number.MAX_SAFE_INTEGER;
}

main().then(
  (code) => {
    if (code !== null) process.exit(code);
  },
  (error: unknown) => {
    for (const line of linesOf(error)) process.stderr.write(`heddle: ${line}\n`);
    process.exit(exitCodeOf(error));
  },
);
