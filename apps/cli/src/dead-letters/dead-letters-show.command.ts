import type { Command } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { plainText } from '../terminal/plain-text.js';
import { answered, KAFKA_NOTES, letterId, letterLine, oneLetter, openBox } from './letter-box.js';

export const deadLettersShowCommand: Command = {
  name: 'dead-letters show',
  summary: 'show one dead letter with its headers and content',
  words: 'LETTER',
  isLocal: true,
  options: {},
  examples: [
    'heddle dead-letters show heddle.jobs.events.v1@12',
    'heddle dead-letters show LETTER --json | jq .content',
  ],
  notes: async () => await Promise.resolve(KAFKA_NOTES),
  async run(call) {
    const { words, terminal } = call;
    const [id, ...rest] = words;
    if (id === undefined || rest.length > 0)
      throw wrongUsage('dead-letters show takes one letter', 'heddle dead-letters list prints their ids');
    letterId(id);
    const box = await openBox(call, 'dead-letters show');
    const letter = oneLetter(await answered(box.letters()), id);
    const content = letter.value?.toString('utf8') ?? null;
    const whole = { ...letterLine(letter), headers: letter.headers, content };
    terminal.printJson(whole);
    if (terminal.json) return EXIT.done;
    const { headers, content: text, ...facts } = whole;
    for (const line of [...factLines(facts, ''), ...factLines(headers, 'header ')]) terminal.print(line);
    terminal.print('');
    terminal.print(plainText(text ?? '(no content)'));
    return EXIT.done;
  },
};

/** The writer of the message also chose the names; the prefix keeps a header from looking like a fact from Heddle. */
export function factLines(facts: object, prefix: string): readonly string[] {
  return Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${prefix}${plainText(name)}: ${plainText(String(value))}`);
}
