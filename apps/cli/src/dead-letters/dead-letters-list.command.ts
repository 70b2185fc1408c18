import type { Command } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { plainText } from '../terminal/plain-text.js';
import { renderTable } from '../terminal/table.js';
import { answered, KAFKA_NOTES, letterLine, openBox, TOPIC_OPTION } from './letter-box.js';

const COLUMNS = [
  { title: 'LETTER' },
  { title: 'GROUP' },
  { title: 'TYPE' },
  { title: 'KEY' },
  { title: 'DIED' },
  { title: 'RETRIED' },
  { title: 'REASON', shrinks: true },
];

export const deadLettersListCommand: Command = {
  name: 'dead-letters list',
  summary: 'list dead letters: messages that a service gave up, and why',
  words: '',
  isLocal: true,
  options: { topic: TOPIC_OPTION, all: { value: null, meaning: 'include letters that were sent again' } },
  examples: ['heddle dead-letters list', 'heddle dead-letters list --json | jq -r .reason'],
  notes: async () => await Promise.resolve(KAFKA_NOTES),
  async run(call) {
    const { words, options, terminal } = call;
    if (words.length > 0) throw wrongUsage('dead-letters list takes no arguments', '--topic names a topic');
    const box = await openBox(call, 'dead-letters list');
    const topic = options.text('topic');
    const letters = (await answered(box.letters())).filter(
      (letter) => (topic === null || letter.topic === topic) && (options.on('all') || letter.retriedAt === null),
    );
    for (const letter of letters) terminal.printJson(letterLine(letter));
    if (terminal.json) return EXIT.done;
    if (letters.length === 0) terminal.say('no dead letters');
    const rows = letters.map(({ id, group, type, key, deadAt, retriedAt, reason }) =>
      [id, group, type, key, deadAt, retriedAt ?? '', reason].map(plainText),
    );
    if (rows.length > 0) for (const line of renderTable(COLUMNS, rows, terminal.width)) terminal.print(line);
    return EXIT.done;
  },
};
