import { NearestName } from '@heddle/workflow-graph/nearest-name';
import { accountsCreateCommand } from './accounts/accounts-create.command.js';
import { accountsListCommand } from './accounts/accounts-list.command.js';
import { accountsSetCommand } from './accounts/accounts-set.command.js';
import { accountsShowCommand } from './accounts/accounts-show.command.js';
import { accountsResumeCommand, accountsSuspendCommand } from './accounts/accounts-suspend.command.js';
import { assetsDeleteCommand } from './assets/assets-delete.command.js';
import { assetsFetchCommand } from './assets/assets-fetch.command.js';
import { assetsMintCommand } from './assets/assets-mint.command.js';
import { assetsShowCommand } from './assets/assets-show.command.js';
import { moderationCommands } from './assets/moderate-hash.command.js';
import { assetsUploadCommand } from './assets/assets-upload.command.js';
import { cancelCommand } from './cancel-job/cancel.command.js';
import type { Command } from './command-line/command.js';
import { completionCommand } from './complete-words/completion.command.js';
import { creditsGrantCommand, creditsWithdrawCommand } from './credits/credits-change.command.js';
import { creditsCheckCommand } from './credits/credits-check.command.js';
import { creditsLedgerCommand } from './credits/credits-ledger.command.js';
import { creditsPriceCommand } from './credits/credits-price.command.js';
import { creditsShowCommand } from './credits/credits-show.command.js';
import { deadLettersListCommand } from './dead-letters/dead-letters-list.command.js';
import { deadLettersRetryCommand } from './dead-letters/dead-letters-retry.command.js';
import { deadLettersShowCommand } from './dead-letters/dead-letters-show.command.js';
import { engineCommand } from './engine-command/engine.command.js';
import {
  deploymentsDeleteCommand,
  deploymentsDrainCommand,
  deploymentsPauseCommand,
  deploymentsRepinCommand,
  deploymentsResumeCommand,
  deploymentsSetCommand,
  deploymentsStartCommand,
} from './deployments/deployments-change.command.js';
import { deploymentsCreateCommand } from './deployments/deployments-create.command.js';
import { deploymentsListCommand, deploymentsShowCommand } from './deployments/deployments-show.command.js';
import { deploymentsTokenCommand } from './deployments/deployments-token.command.js';
import { keysCreateCommand } from './keys/keys-create.command.js';
import { keysListCommand } from './keys/keys-list.command.js';
import { keysRevokeCommand } from './keys/keys-revoke.command.js';
import { keysRotateCommand } from './keys/keys-rotate.command.js';
import { jobsListCommand } from './list-jobs/jobs-list.command.js';
import { jobsShowCommand } from './list-jobs/jobs-show.command.js';
import { versionCommand } from './print-version/version.command.js';
import { wrongUsage } from './failure.js';
import type { CliFailure } from './failure.js';
import { clusterSecretsCommand } from './prepare-cluster/cluster-secrets.command.js';
import { migrateCommand } from './prepare-cluster/migrate.command.js';
import { serviceTokenCommand } from './prepare-cluster/service-token.command.js';
import { historyQueryCommand } from './query-history/history-query.command.js';
import { historyRebuildCommand } from './rebuild-history/history-rebuild.command.js';
import { historyReplayCommand } from './replay-history/history-replay.command.js';
import { historySchemaCommand } from './show-schema/history-schema.command.js';
import { REGISTRY_COMMANDS } from './registry/registry-commands.js';
import { runCommand } from './run-workflow/run.command.js';
import { historyExportCommand } from './export-history/history-export.command.js';
import { historyFollowCommand } from './follow-history/history-follow.command.js';
import { historyShowCommand } from './show-history/history-show.command.js';
import { serveCommand } from './serve/serve.command.js';
import { historyAsOfCommand } from './travel-history/history-as-of.command.js';
import { historyDiffCommand } from './travel-history/history-diff.command.js';
import { jobsLogsCommand } from './show-log/jobs-logs.command.js';
import { validateCommand } from './validate-graphs/validate.command.js';
import { historyVerifyCommand } from './verify-history/history-verify.command.js';
import { watchCommand } from './watch-job/watch.command.js';

/** Every command, in help order. */
export const COMMANDS: readonly Command[] = [
  runCommand,
  validateCommand,
  watchCommand,
  cancelCommand,
  jobsListCommand,
  jobsShowCommand,
  jobsLogsCommand,
  assetsUploadCommand,
  assetsShowCommand,
  assetsMintCommand,
  assetsFetchCommand,
  assetsDeleteCommand,
  ...moderationCommands,
  historyShowCommand,
  historyFollowCommand,
  historyVerifyCommand,
  historyExportCommand,
  historyQueryCommand,
  historyAsOfCommand,
  historyDiffCommand,
  historyRebuildCommand,
  historyReplayCommand,
  historySchemaCommand,
  deadLettersListCommand,
  deadLettersShowCommand,
  deadLettersRetryCommand,
  accountsCreateCommand,
  accountsShowCommand,
  accountsListCommand,
  accountsSetCommand,
  accountsSuspendCommand,
  accountsResumeCommand,
  keysCreateCommand,
  keysListCommand,
  keysRevokeCommand,
  keysRotateCommand,
  deploymentsCreateCommand,
  deploymentsShowCommand,
  deploymentsListCommand,
  deploymentsSetCommand,
  deploymentsRepinCommand,
  deploymentsPauseCommand,
  deploymentsResumeCommand,
  deploymentsDrainCommand,
  deploymentsStartCommand,
  deploymentsDeleteCommand,
  deploymentsTokenCommand,
  creditsShowCommand,
  creditsGrantCommand,
  creditsWithdrawCommand,
  creditsLedgerCommand,
  creditsPriceCommand,
  creditsCheckCommand,
  ...REGISTRY_COMMANDS,
  serveCommand,
  migrateCommand,
  serviceTokenCommand,
  clusterSecretsCommand,
  engineCommand,
  versionCommand,
  completionCommand(() => COMMANDS),
];

/** `jobs` alone lists jobs. */
const SHORT_FORMS: Readonly<Record<string, string>> = { jobs: 'jobs list' };

interface FoundCommand {
  readonly command: Command;
  /** The arguments after the command's name. */
  readonly rest: readonly string[];
}

/** The named command: two words take precedence over one. Null if there is none. */
export function findCommand(words: readonly string[]): FoundCommand | null {
  const [first = '', second = ''] = words;
  // A second word that is not an option was meant as a command of the group.
  const short = second === '' || second.startsWith('-') ? SHORT_FORMS[first] : undefined;
  for (const [name, taken] of [[`${first} ${second}`, 2] as const, [short ?? first, 1] as const]) {
    const command = COMMANDS.find((candidate) => candidate.name === name);
    if (command !== undefined) return { command, rest: words.slice(taken) };
  }
  return null;
}

/** True for an option that some command takes. */
export function isOfCommand(option: string): boolean {
  return COMMANDS.some(({ options }) => Object.hasOwn(options, option));
}

/** The commands of a group such as `assets`, for its help. */
export function groupOf(word: string): readonly Command[] {
  return COMMANDS.filter((command) => command.name.startsWith(`${word} `));
}

/** What other programs call a command of a group. */
const VERBS: Readonly<Record<string, string>> = { ls: 'list' };

/** Refuses unknown command words, with the nearest command. */
export function unknownCommand([first = '', second]: readonly string[]): CliFailure {
  const group = groupOf(first);
  if (group.length > 0 && second === undefined)
    return wrongUsage(`${first} takes a command: ${listed(group)}`, `heddle help ${first} explains them`);
  if (group.length > 0) {
    const meant = new NearestName(group.map(({ name }) => name.split(' ')[1] ?? name)).of(second ?? '');
    // A guess with another initial is more often wrong than right: "list" is not "mint".
    const hint =
      meant === null || meant[0] !== second?.[0] ? `it has ${listed(group)}` : `did you mean heddle ${first} ${meant}?`;
    return wrongUsage(`${first} has no command "${second ?? ''}"; ${hint}`, `heddle help ${first} explains them`);
  }
  const inGroup = COMMANDS.find(({ name }) => name.split(' ')[1] === (VERBS[first] ?? first));
  if (inGroup !== undefined)
    return wrongUsage(
      `unknown command "${first}"; did you mean heddle ${inGroup.name}?`,
      'heddle help lists the commands',
    );
  const meant = new NearestName([...COMMANDS.map(({ name }) => name.split(' ')[0] ?? name), 'help']).of(first);
  const hint = meant === null ? '' : `; did you mean heddle ${meant}?`;
  return wrongUsage(`unknown command "${first}"${hint}`, 'heddle help lists the commands');
}

function listed(group: readonly Command[]): string {
  return group.map(({ name }) => name.split(' ')[1] ?? name).join(', ');
}
