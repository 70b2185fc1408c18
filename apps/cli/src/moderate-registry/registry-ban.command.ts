import { adminCommand } from '../admin/admin-command.js';
import type { AdminCall } from '../admin/admin-command.js';
import { fieldText } from '../admin/read-parts.js';
import type { JsonRecord } from '../api/wire.js';
import type { Command, Option } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { onlyNode, publisherId } from '../registry/node-name.js';
import { plainText } from '../terminal/plain-text.js';
import { adminNodePath } from './admin-paths.js';
import { decided, REASON, reasonIn } from './decide.js';

const PUBLISHER: Option = { value: 'PUBLISHER', meaning: 'a publisher with every node of it, instead of a node' };

export const banCommands: readonly Command[] = [
  banning({ name: 'registry ban', summary: 'withhold a node, or a publisher with its nodes, at once' }),
  banning({ name: 'registry unban', summary: 'end a ban; every version gets its earlier status back' }),
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

/** A second ban changes nothing: an operator who gives another reason must not believe that it was stored. */
function sayKept(decision: JsonRecord, call: AdminCall): void {
  const kept = fieldText(decision, 'reason');
  if (fieldText(decision, 'status') !== 'banned' || kept === (reasonIn(call).reason ?? '')) return;
  const stays = kept === '' ? 'without a reason' : `and its reason stays "${kept}"`;
  call.terminal.say(plainText(`heddle: it was banned already, ${stays}; unban it first to give another one`));
}
