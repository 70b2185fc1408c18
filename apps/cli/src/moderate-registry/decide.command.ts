import { adminCommand } from '../admin/admin-command.js';
import type { AdminCall } from '../admin/admin-command.js';
import { fieldText, recordOf } from '../admin/read-parts.js';
import type { JsonRecord } from '../api/wire.js';
import type { Command, Option } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { oneOf } from '../registry/listed-values.js';
import { onlyNode, publisherId, versionName } from '../registry/node-name.js';
import { plainText } from '../terminal/plain-text.js';
import { adminNodePath, adminVersionPath } from './admin-paths.js';
import { printDecision } from './print-decision.js';

const REVIEWS = ['active', 'flagged', 'banned', 'deleted'];
const REASON: Option = { value: 'TEXT', meaning: 'why, for its publisher' };
const PUBLISHER: Option = { value: 'PUBLISHER', meaning: 'a publisher with every node of it, instead of a node' };

/** Decisions of an operator on what is published. */
export const decisionCommands: readonly Command[] = [
  adminCommand({
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
  }),
  adminCommand({
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
  }),
  banning({ name: 'registry ban', summary: 'withhold a node, or a publisher with its nodes, at once' }),
  banning({ name: 'registry unban', summary: 'end a ban; every version gets its earlier status back' }),
  adminCommand({
    name: 'registry release',
    summary: 'take a node from its publisher; the owner of its repository can then claim it',
    words: 'NODE',
    options: {},
    examples: ['heddle registry release image-tools'],
    async run(call) {
      return await decide(call, `${adminNodePath(onlyNode(call.words, 'registry release'))}/release`);
    },
  }),
];

function banning({ name: command, summary }: Pick<Command, 'name' | 'summary'>): Command {
  const verb = command.split(' ')[1]!;
  return adminCommand({
    name: command,
    summary,
    words: '[NODE]',
    options: { publisher: PUBLISHER, reason: REASON },
    examples: [`heddle ${command} image-tools --reason "looks like image-tool"`, `heddle ${command} --publisher acme`],
    async run(call) {
      const { words, options } = call;
      const given = options.text('publisher');
      if (given !== null && words.length > 0) throw wrongUsage(`${command} takes a node or --publisher, not both`);
      const target =
        given === null
          ? adminNodePath(onlyNode(words, command))
          : `registry/publishers/${encodeURIComponent(publisherId(given, command))}`;
      const decision = await decided(call, `${target}/${verb}`, reasonIn(call));
      if (verb === 'ban') sayKept(decision, call);
      return EXIT.done;
    },
  });
}

async function decide(call: AdminCall, path: string, body: object = {}): Promise<number> {
  await decided(call, path, body);
  return EXIT.done;
}

async function decided({ admin, terminal }: AdminCall, path: string, body: object): Promise<JsonRecord> {
  const decision = recordOf(await admin.call('POST', path, body));
  printDecision(decision, terminal);
  return decision;
}

/** A second ban changes nothing: an operator who gives another reason must not believe that it was stored. */
function sayKept(decision: JsonRecord, call: AdminCall): void {
  const kept = fieldText(decision, 'reason');
  if (fieldText(decision, 'status') !== 'banned' || kept === (reasonIn(call).reason ?? '')) return;
  const stays = kept === '' ? 'without a reason' : `and its reason stays "${kept}"`;
  call.terminal.say(plainText(`heddle: it was banned already, ${stays}; unban it first to give another one`));
}

function reasonIn({ options }: AdminCall): { readonly reason?: string } {
  const reason = options.text('reason');
  return reason === null ? {} : { reason };
}
