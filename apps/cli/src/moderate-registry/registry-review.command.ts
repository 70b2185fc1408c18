import { adminCommand } from '../admin/admin-command.js';
import { wrongUsage } from '../failure.js';
import { oneOf } from '../registry/listed-values.js';
import { versionName } from '../registry/node-name.js';
import { adminVersionPath } from './admin-paths.js';
import { decide, REASON, reasonIn } from './decide.js';

const REVIEWS = ['active', 'flagged', 'banned', 'deleted'];

export const reviewCommand = adminCommand({
  name: 'registry review',
  summary: 'decide on a version, such as one that its scan flagged',
  words: 'NODE@VERSION',
  options: { status: { value: 'STATUS', meaning: REVIEWS.join(', '), choices: REVIEWS }, reason: REASON },
  examples: ['heddle registry review image-tools@1.2.0 --status active --reason "reads its own file"'],
  async run(call) {
    const { nodeId, version } = versionName(call.words, 'registry review');
    const status = call.options.text('status');
    if (status === null) throw wrongUsage('--status is missing', `--status takes ${REVIEWS.join(', ')}`);
    const body = { status: oneOf(status, REVIEWS, 'status'), ...reasonIn(call) };
    return await decide(call, `${adminVersionPath(nodeId, version)}/review`, body);
  },
});
