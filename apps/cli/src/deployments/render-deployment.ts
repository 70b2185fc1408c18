import { fieldText, givenIn, recordOf } from '../admin/read-parts.js';
import type { JsonRecord } from '../api/wire.js';
import { plainText } from '../terminal/plain-text.js';
import { renderTable } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';

const FACTS = [
  ...['status', 'reason', 'host', 'account', 'provider', 'slots', 'workers', 'waiting', 'running', 'public_demo'],
  ...['revision', 'environment', 'next_revision', 'retiring_revisions', 'cold_start_s', 'limits', 'price'],
];

const COLUMNS = [
  { title: 'DEPLOYMENT', whole: true },
  { title: 'STAGE' },
  { title: 'STATUS' },
  { title: 'WORKERS', align: 'right' as const },
  { title: 'WAITING', align: 'right' as const },
  { title: 'RUNNING', align: 'right' as const },
  { title: 'ACCOUNT' },
  { title: 'HOST', shrinks: true },
];

/** A deployment as a JSON line, or as facts for a person. */
export function printDeployment(deployment: JsonRecord, terminal: Terminal): void {
  terminal.printJson(deployment);
  if (terminal.json) return;
  terminal.print(`${fieldText(deployment, 'label')} (${fieldText(deployment, 'stage')})`);
  const facts = {
    ...deployment,
    status: `${fieldText(deployment, 'status')} since ${fieldText(deployment, 'status_since')}`,
    account: accountText(deployment),
    environment: environmentText(recordOf(deployment['environment'] ?? {})),
    retiring_revisions: listText(deployment['retiring_revisions']),
    limits: givenIn(deployment, 'limits'),
    price: givenIn(deployment, 'price'),
  };
  for (const field of FACTS) {
    const text = plainText(fieldText(facts, field));
    if (text !== '') terminal.print(`  ${field.padEnd(20)}${text}`);
  }
}

export function printDeployments(deployments: readonly JsonRecord[], terminal: Terminal): void {
  for (const deployment of deployments) terminal.printJson(deployment);
  if (terminal.json) return;
  if (deployments.length === 0) return terminal.say('no deployments');
  const rows = deployments.map((deployment) =>
    [
      fieldText(deployment, 'label'),
      fieldText(deployment, 'stage'),
      fieldText(deployment, 'status'),
      fieldText(deployment, 'workers'),
      fieldText(deployment, 'waiting'),
      fieldText(deployment, 'running'),
      accountText(deployment),
      fieldText(deployment, 'host'),
    ].map(plainText),
  );
  for (const line of renderTable(COLUMNS, rows, terminal.width)) terminal.print(line);
}

function accountText(deployment: JsonRecord): string {
  return fieldText(deployment, 'account') || 'every account';
}

function environmentText({ revision: _, packages, ...environment }: JsonRecord): string {
  const named = Array.isArray(packages) ? packages.map((one) => recordOf(one)) : [];
  const listed = named.map((one) => `${fieldText(one, 'id')}@${fieldText(one, 'version')}`);
  return [givenIn({ environment }, 'environment'), ...listed].join(' ').trim();
}

function listText(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : '';
}
