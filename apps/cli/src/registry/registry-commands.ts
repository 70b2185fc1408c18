import type { Command } from '../command-line/command.js';
import { installCommand } from '../install-package/install.command.js';
import { decisionCommands } from '../moderate-registry/decide.command.js';
import { eventsCommand, queueCommand } from '../moderate-registry/queue.command.js';
import { setCommand } from '../moderate-registry/set.command.js';
import { checkCommand } from '../publish-package/check.command.js';
import { publishCommand } from '../publish-package/publish.command.js';
import { redeliverCommand } from '../redeliver-task/redeliver.command.js';
import { claimCommand, deleteCommand, deprecateCommand } from './change-versions.command.js';
import { classesCommand } from './list-classes.command.js';
import { versionsCommand } from './list-versions.command.js';
import { loginCommand } from './login.command.js';
import { createPublisherCommand, createTokenCommand, revokeTokenCommand, tokensCommand } from './publishers.command.js';
import { requestReviewCommand } from './request-review.command.js';
import { searchCommand, showCommand, statusCommand } from './show-nodes.command.js';

/** The commands of the registry: publishers first, then who installs, then operators. */
export const REGISTRY_COMMANDS: readonly Command[] = [
  createPublisherCommand,
  createTokenCommand,
  tokensCommand,
  revokeTokenCommand,
  loginCommand,
  checkCommand,
  publishCommand,
  statusCommand,
  requestReviewCommand,
  deprecateCommand,
  deleteCommand,
  claimCommand,
  searchCommand,
  showCommand,
  versionsCommand,
  classesCommand,
  installCommand,
  queueCommand,
  ...decisionCommands,
  redeliverCommand,
  setCommand,
  eventsCommand,
];
