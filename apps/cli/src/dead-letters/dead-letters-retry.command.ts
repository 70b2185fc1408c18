import type { Command } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { answered, KAFKA_NOTES, letterId, letterLine, oneLetter, openBox, TOPIC_OPTION } from './letter-box.js';

export const deadLettersRetryCommand: Command = {
  name: 'dead-letters retry',
  summary: 'send dead letters again unchanged, and mark them',
  words: '[LETTER...]',
  isLocal: true,
  options: {
    all: { value: null, meaning: 'all letters that were not sent again yet' },
    topic: TOPIC_OPTION,
  },
  examples: ['heddle dead-letters retry heddle.jobs.events.v1@12', 'heddle dead-letters retry --all --json'],
  notes: async () =>
    await Promise.resolve([
      ...KAFKA_NOTES,
      'The message is published to its topic again. Services that applied it before ignore it. If it fails again, it becomes a new letter.',
    ]),
  async run(call) {
    const { words, options, terminal } = call;
    const all = options.on('all');
    if (all === words.length > 0) throw wrongUsage('name letters, or give --all', 'heddle dead-letters list');
    if (!all && options.text('topic') !== null)
      throw wrongUsage('--topic goes with --all', 'leave --topic out: a letter id names its topic');
    const ids = words.map(letterId);
    const box = await openBox(call, 'dead-letters retry');
    const kept = await answered(box.letters());
    const topic = options.text('topic');
    const letters = all
      ? kept.filter((letter) => letter.retriedAt === null && (topic === null || letter.topic === topic))
      : ids.map((id) => oneLetter(kept, id));
    for (const letter of letters) {
      await answered(box.retry([letter]));
      terminal.printJson({ ...letterLine(letter), retried_at: new Date().toISOString() });
      if (!terminal.json) terminal.print(`sent ${letter.id} to ${letter.topic} again`);
    }
    if (letters.length === 0) terminal.say('no dead letters');
    return EXIT.done;
  },
};
