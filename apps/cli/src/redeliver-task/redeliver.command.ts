import { adminCommand } from '../admin/admin-command.js';
import { oneName } from '../admin/one-name.js';
import { fieldText, recordOf } from '../admin/read-parts.js';
import { EXIT } from '../failure.js';
import { plainText } from '../terminal/plain-text.js';

export const redeliverCommand = adminCommand({
  name: 'registry redeliver',
  summary: 'send the dead callbacks of a task of a partner vendor again',
  words: 'TASK',
  options: {},
  examples: ['heddle registry redeliver 0b6b4f3c-2f43-4c0f-9a53-0a6f5d4f9b11'],
  async run({ admin, terminal, words }) {
    const task = oneName(words, 'registry redeliver', 'the id of a task');
    const path = `registry/tasks/${encodeURIComponent(task)}/redeliver`;
    const answer = recordOf(await admin.call('POST', path, {}));
    terminal.printJson(answer);
    const count = fieldText(answer, 'deliveries');
    if (!terminal.json) terminal.print(plainText(`callbacks of task ${task} that are sent again: ${count}`));
    return EXIT.done;
  },
});
