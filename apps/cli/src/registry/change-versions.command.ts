import { EXIT, wrongUsage } from '../failure.js';
import { isRecord } from '../api/wire.js';
import type { Json } from '../api/wire.js';
import { plainText } from '../terminal/plain-text.js';
import { memberCredential, publisherOf } from './member-credential.js';
import { nodeName, nodePath, onlyNode, publisherId, versionName, versionPath } from './node-name.js';
import { recordIn } from './registry-answers.js';
import { deleteNode } from './delete-node.js';
import { registryCommand } from './registry-command.js';
import { printVersion } from './render-version.js';
import { withTokenOf } from './token-of.js';

export const deprecateCommand = registryCommand({
  name: 'registry deprecate',
  summary: 'advise against a version; it stays installable',
  words: 'NODE@VERSION',
  options: {
    reason: { value: 'TEXT', meaning: 'what to use instead, for those who install it' },
    undo: { value: null, meaning: 'end the deprecation' },
  },
  examples: [
    'heddle registry deprecate image-tools@1.1.0 --reason "loses alpha; use 1.2.0"',
    'heddle registry deprecate image-tools@1.1.0 --undo',
  ],
  async run({ words, options, terminal, env, registry }) {
    const { nodeId, version } = versionName(words, 'registry deprecate');
    const reason = options.text('reason');
    const isUndone = options.on('undo');
    if (isUndone && reason !== null) throw wrongUsage('--reason does not go with --undo');
    const publisher = await publisherOf(registry, nodeId);
    const as = await memberCredential(env, registry, publisher);
    const body = { deprecated: !isUndone, deprecated_reason: reason };
    const path = `/publishers/${publisher}${versionPath(nodeId, version)}`;
    const changed = withTokenOf(publisher, `${nodeId} is of ${publisher}`, registry.call('PUT', path, { as, body }));
    printVersion(recordIn(await changed), terminal);
    return EXIT.done;
  },
});

export const deleteCommand = registryCommand({
  name: 'registry delete',
  summary: 'delete a version, or a node with all of its versions; the names are never free again',
  words: 'NODE[@VERSION]',
  options: {},
  examples: ['heddle registry delete image-tools@1.1.0', 'heddle registry delete image-tools'],
  async run({ words, terminal, env, registry }) {
    const { nodeId, version } = nodeName(words, 'registry delete');
    // A token may delete versions; a node is deleted by an owner.
    if (version === null) await deleteNode(registry, nodeId);
    else {
      const publisher = await publisherOf(registry, nodeId);
      const as = await memberCredential(env, registry, publisher);
      const path = `/publishers/${publisher}${versionPath(nodeId, version)}`;
      await withTokenOf(publisher, `${nodeId} is of ${publisher}`, registry.call('DELETE', path, { as }));
    }
    const deleted = version === null ? nodeId : `${nodeId}@${version}`;
    terminal.printJson({ deleted });
    if (!terminal.json) terminal.print(`${deleted} is deleted`);
    return EXIT.done;
  },
});

export const claimCommand = registryCommand({
  name: 'registry claim',
  summary: 'claim a node without a publisher by a file in its repository',
  words: 'NODE',
  options: { publisher: { value: 'PUBLISHER', meaning: 'publisher that gets the node' } },
  examples: ['heddle registry claim image-tools --publisher acme'],
  notes: () =>
    Promise.resolve([
      'The first call prints a challenge and the path of a file in the repository. Put the challenge into the file and call it again.',
    ]),
  async run({ words, options, terminal, registry }) {
    const nodeId = onlyNode(words, 'registry claim');
    const given = options.text('publisher');
    if (given === null) throw wrongUsage('--publisher is missing', `heddle registry claim ${nodeId} --publisher acme`);
    const publisher = publisherId(given, 'registry claim');
    const path = `/publishers/${publisher}${nodePath(nodeId)}/claim-my-node`;
    const answer = await registry.call('POST', path, { as: 'account' });
    const { challenge, path: file } = isRecord(answer) ? answer : ({} as Readonly<Record<string, Json>>);
    const claimed = challenge === undefined;
    terminal.printJson({ claimed, challenge: challenge ?? '', path: file ?? '' });
    if (terminal.json) return EXIT.done;
    if (claimed) terminal.print(`${nodeId} belongs to ${publisher} now`);
    else {
      terminal.say(`put this line into ${plainText(String(file))}, then run the command again:`);
      terminal.print(plainText(String(challenge)));
    }
    return EXIT.done;
  },
});
