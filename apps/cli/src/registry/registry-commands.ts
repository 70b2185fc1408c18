import type { Command } from '../command-line/command.js';
import { installCommand } from '../install-package/install.command.js';
import { banCommands } from '../moderate-registry/registry-ban.command.js';
import { eventsCommand } from '../moderate-registry/registry-events.command.js';
import { queueCommand } from '../moderate-registry/registry-queue.command.js';
import { releaseCommand } from '../moderate-registry/registry-release.command.js';
import { rescanCommand } from '../moderate-registry/registry-rescan.command.js';
import { reviewCommand } from '../moderate-registry/registry-review.command.js';
import { setCommand } from '../moderate-registry/registry-set.command.js';
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
  reviewCommand,
  rescanCommand,
  ...banCommands,
  releaseCommand,
  redeliverCommand,
  setCommand,
  eventsCommand,
];
