import { fieldText } from '../admin/read-parts.js';
import type { JsonRecord } from '../api/wire.js';
import type { CommandCall } from '../command-line/command.js';

const SHOWN = ['status', 'reason', 'host', 'account', 'provider', 'slots', 'workers', 'waiting', 'running', 'revision'];

export function printDeployment(deployment: JsonRecord, terminal: CommandCall['terminal']): void {
  terminal.printJson(deployment);
  if (terminal.json) return;
  terminal.print(`${fieldText(deployment, 'label')} (${fieldText(deployment, 'stage')})`);
  for (const field of SHOWN) terminal.print(`  ${field.padEnd(10)}${fieldText(deployment, field)}`);
}
