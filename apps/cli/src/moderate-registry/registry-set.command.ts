import { adminCommand } from '../admin/admin-command.js';
import { recordOf } from '../admin/read-parts.js';
import type { Arguments } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { listed } from '../registry/listed-values.js';
import { onlyNode } from '../registry/node-name.js';
import { adminNodePath } from './admin-paths.js';
import { printDecision } from './print-decision.js';

export const setCommand = adminCommand({
  name: 'registry set',
  summary: 'set the rank, the tags and the preempted classes of a node',
  words: 'NODE',
  options: {
    'search-ranking': { value: 'N', meaning: 'rank among equal matches of a search; larger comes first' },
    preempt: { value: 'A,B', meaning: 'classes that are looked up in this node first; "" for none' },
    tags: { value: 'A,B', meaning: 'tags of the operator; "" for none' },
  },
  examples: ['heddle registry set image-tools --search-ranking 10', 'heddle registry set image-tools --tags verified'],
  async run({ words, options, terminal, admin }) {
    const nodeId = onlyNode(words, 'registry set');
    const fields = fieldsIn(options);
    if (Object.keys(fields).length === 0)
      throw wrongUsage('registry set changes nothing without an option', 'heddle help registry set lists them');
    printDecision(recordOf(await admin.call('POST', `${adminNodePath(nodeId)}/set`, fields)), terminal);
    return EXIT.done;
  },
});

function fieldsIn(options: Arguments): Readonly<Record<string, unknown>> {
  const ranking = options.text('search-ranking');
  if (ranking !== null && !/^-?\d{1,9}$/.test(ranking))
    throw wrongUsage(`--search-ranking must be a whole number, not "${ranking}"`);
  const [preempt, tags] = [listed(options, 'preempt'), listed(options, 'tags')];
  return {
    ...(ranking === null ? {} : { search_ranking: Number(ranking) }),
    ...(preempt === null ? {} : { preempt }),
    ...(tags === null ? {} : { tags }),
  };
}
