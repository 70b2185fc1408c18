import { adminCommand } from '../admin/admin-command.js';
import { versionName } from '../registry/node-name.js';
import { adminVersionPath } from './admin-paths.js';
import { decide } from './decide.js';

export const rescanCommand = adminCommand({
  name: 'registry rescan',
  summary: 'scan a version again with the rules of the running service; the result replaces a review',
  words: 'NODE@VERSION',
  options: {},
  examples: ['heddle registry rescan image-tools@1.2.0'],
  async run(call) {
    const { nodeId, version } = versionName(call.words, 'registry rescan');
    const code = await decide(call, `${adminVersionPath(nodeId, version)}/rescan`);
    call.terminal.say(
      `heddle: the scan is running; its result replaces a review. See it with: heddle registry status ${nodeId}@${version}`,
    );
    return code;
  },
});
