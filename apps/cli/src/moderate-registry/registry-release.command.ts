import { adminCommand } from '../admin/admin-command.js';
import { onlyNode } from '../registry/node-name.js';
import { adminNodePath } from './admin-paths.js';
import { decide } from './decide.js';

export const releaseCommand = adminCommand({
  name: 'registry release',
  summary: 'take a node from its publisher; the owner of its repository can then claim it',
  words: 'NODE',
  options: {},
  examples: ['heddle registry release image-tools'],
  async run(call) {
    return await decide(call, `${adminNodePath(onlyNode(call.words, 'registry release'))}/release`);
  },
});
