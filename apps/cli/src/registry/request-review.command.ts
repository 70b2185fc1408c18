import { EXIT } from '../failure.js';
import { memberCredential, publisherOf } from './member-credential.js';
import { versionName, versionPath } from './node-name.js';
import { recordIn } from './registry-answers.js';
import { registryCommand } from './registry-command.js';
import { withTokenOf } from './token-of.js';

export const requestReviewCommand = registryCommand({
  name: 'registry request-review',
  summary: 'ask the operator to look at a version that its scan flagged',
  words: 'NODE@VERSION',
  options: { message: { value: 'TEXT', meaning: 'why the findings are harmless' } },
  examples: ['heddle registry request-review image-tools@1.2.0 --message "it decodes its own icon"'],
  async run({ words, options, terminal, env, registry }) {
    const { nodeId, version } = versionName(words, 'registry request-review');
    const publisher = await publisherOf(registry, nodeId);
    const as = await memberCredential(env, registry, publisher);
    const path = `/publishers/${publisher}${versionPath(nodeId, version)}/request-review`;
    const asked = registry.call('POST', path, { as, body: { message: options.text('message') } });
    terminal.printJson(recordIn(await withTokenOf(publisher, `${nodeId} is of ${publisher}`, asked)));
    if (terminal.json) return EXIT.done;
    terminal.print(`a review of ${nodeId}@${version} is requested`);
    terminal.say(`heddle registry status ${nodeId}@${version} shows the decision`);
    return EXIT.done;
  },
});
