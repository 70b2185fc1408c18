import { VERSION_STATUSES, versionStatusWire } from '@heddle/contracts-registry';
import type { VersionStatus } from '@heddle/contracts-registry';
import { orNamed } from '../api/api-error.js';
import type { JsonRecord } from '../api/wire.js';
import { EXIT } from '../failure.js';
import { counted } from '../terminal/quantities.js';
import { listed, oneOf } from './listed-values.js';
import { nodePath, onlyNode, SEARCH_STEP } from './node-name.js';
import { readAsMember } from './read-as-member.js';
import { recordsIn, textIn } from './registry-answers.js';
import { registryCommand } from './registry-command.js';
import { printRecords } from './render-facts.js';
import type { FieldColumn } from './render-facts.js';
import { findingsIn } from './render-findings.js';
import { statusOf } from './render-version.js';

const COLUMNS: readonly FieldColumn[] = [
  { title: 'VERSION', field: 'version', whole: true },
  { title: 'STATUS', field: 'status' },
  { title: 'CREATED', field: 'createdAt' },
  { title: 'DEPRECATED', field: 'deprecated' },
  { title: 'REASON', field: 'status_reason', shrinks: 'first' },
];

export const versionsCommand = registryCommand({
  name: 'registry versions',
  summary: 'list the versions of a node, newest first',
  words: 'NODE',
  options: {
    status: {
      value: 'A,B',
      meaning: `only these of ${VERSION_STATUSES.join(',')}; those that are not active or flagged are for members`,
      choices: VERSION_STATUSES,
    },
  },
  examples: [
    'heddle registry versions image-tools',
    'heddle registry versions image-tools --status deleted,banned --json | jq -r .status_reason',
  ],
  async run(call) {
    const nodeId = onlyNode(call.words, 'registry versions');
    const wanted = (listed(call.options, 'status') ?? []).map((status) => oneOf(status, VERSION_STATUSES, 'status'));
    const only = wanted.map((status) => `&statuses=${versionStatusWire(status as VersionStatus)}`).join('');
    const path = `${nodePath(nodeId)}/versions?include_status_reason=true${only}`;
    const read = readAsMember(call, nodeId, async (as) => await call.registry.call('GET', path, { as }));
    const versions = recordsIn(await orNamed(read, `no node ${nodeId} here`, SEARCH_STEP));
    const { terminal } = call;
    const rows = terminal.json ? versions : versions.map(shortened);
    printRecords(rows, COLUMNS, terminal, `${nodeId} has no such version, or it is not visible to you`);
    return EXIT.done;
  },
});

function shortened(version: JsonRecord): JsonRecord {
  const reason = textIn(version, 'status_reason');
  const { length } = findingsIn(reason);
  return {
    ...version,
    status: statusOf(version) ?? textIn(version, 'status'),
    deprecated: version['deprecated'] === true ? 'yes' : '',
    status_reason: length === 0 ? reason : `${counted(length, 'finding')} of the scan`,
  };
}
