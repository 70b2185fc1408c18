import { assetsDeleteCommand } from './assets/assets-delete.command.js';
import { assetsFetchCommand } from './assets/assets-fetch.command.js';
import { assetsMintCommand } from './assets/assets-mint.command.js';
import { assetsShowCommand } from './assets/assets-show.command.js';
import { assetsUploadCommand } from './assets/assets-upload.command.js';
import { cancelCommand } from './cancel-job/cancel.command.js';
import type { Command } from './command-line/command.js';
import { deadLettersListCommand } from './dead-letters/dead-letters-list.command.js';
import { deadLettersRetryCommand } from './dead-letters/dead-letters-retry.command.js';
import { deadLettersShowCommand } from './dead-letters/dead-letters-show.command.js';
import { engineCommand } from './engine-command/engine.command.js';
import { jobsListCommand } from './list-jobs/jobs-list.command.js';
import { jobsShowCommand } from './list-jobs/jobs-show.command.js';
import { notBuiltCommands } from './not-built/not-built.command.js';
import { migrateCommand } from './prepare-cluster/migrate.command.js';
import { serviceTokenCommand } from './prepare-cluster/service-token.command.js';
import { historyRebuildCommand } from './rebuild-history/history-rebuild.command.js';
import { historyReplayCommand } from './replay-history/history-replay.command.js';
import { runCommand } from './run-workflow/run.command.js';
import { historyShowCommand } from './show-history/history-show.command.js';
import { serveCommand } from './serve/serve.command.js';
import { validateCommand } from './validate-graphs/validate.command.js';
import { historyVerifyCommand } from './verify-history/history-verify.command.js';
import { watchCommand } from './watch-job/watch.command.js';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  runCommand,
  validateCommand,
  watchCommand,
  cancelCommand,
  jobsListCommand,
  jobsShowCommand,
  assetsUploadCommand,
  assetsShowCommand,
  assetsMintCommand,
  assetsFetchCommand,
  assetsDeleteCommand,
  historyShowCommand,
  historyVerifyCommand,
  historyRebuildCommand,
  historyReplayCommand,
  deadLettersListCommand,
  deadLettersShowCommand,
  deadLettersRetryCommand,
  serveCommand,
  migrateCommand,
  serviceTokenCommand,
  engineCommand,
  ...notBuiltCommands,
];

/** `jobs` alone lists. */
const SHORT_FORMS: Readonly<Record<string, string>> = { jobs: 'jobs list' };

export interface FoundCommand {
  readonly command: Command;
  /** What follows the command's name. */
  readonly rest: readonly string[];
}

/** The command that the words name: two words win over one. Null where there is none. */
export function findCommand(words: readonly string[]): FoundCommand | null {
  const [first = '', second = ''] = words;
  for (const [name, taken] of [[`${first} ${second}`, 2] as const, [SHORT_FORMS[first] ?? first, 1] as const]) {
    const command = COMMANDS.find((candidate) => candidate.name === name);
    if (command !== undefined) return { command, rest: words.slice(taken) };
  }
  return null;
}

/** The commands of a group such as `assets`, for its help. */
export function groupOf(word: string): readonly Command[] {
  return COMMANDS.filter((command) => command.name.startsWith(`${word} `));
}
