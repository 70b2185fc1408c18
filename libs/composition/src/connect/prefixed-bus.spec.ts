import { MemoryMessageBus } from '@heddle/platform-message-bus';
import type { BusMessage } from '@heddle/platform-message-bus';
import { describeMessageBus } from '@heddle/platform-message-bus/message-bus-suite';
import { expect, it } from 'vitest';
import { PrefixedBus } from './prefixed-bus.js';

const PREFIX = 'one.';
const plain = <Named extends { readonly topic: string; readonly group: string }>(named: Named): Named => ({
  ...named,
  topic: named.topic.replace(PREFIX, ''),
  group: named.group.replace(PREFIX, ''),
});

// The bus behind it reports letters and waits by the names that brokers know.
describeMessageBus(
  'a bus with a prefix',
  async (options) =>
    await Promise.resolve(
      new PrefixedBus(
        new MemoryMessageBus({
          ...options,
          onDeadLetter: (letter) => options.onDeadLetter?.(plain(letter)),
          onOutage: (wait) => options.onOutage?.(plain(wait)),
        }),
        PREFIX,
      ),
    ),
);

it('a bus with a prefix hears nothing of another prefix, and brokers see it in topics and groups', async () => {
  const letters: string[] = [];
  const brokers = new MemoryMessageBus({
    attempts: 1,
    onDeadLetter: ({ topic, group }) => letters.push(`${topic} ${group}`),
  });
  const [one, two] = [new PrefixedBus(brokers, 'one.'), new PrefixedBus(brokers, 'two.')];
  const heard: BusMessage[] = [];
  await one.subscribe('topic', 'group', () => Promise.reject(new Error('never')));
  await two.subscribe('topic', 'group', async (batch) => await Promise.resolve(void heard.push(...batch)));
  await one.publish('topic', [{ key: 'k', id: '1', type: 't', payload: 1, headers: {} }]);
  await brokers.close();
  expect(letters).toEqual(['one.topic one.group']);
  expect(heard).toEqual([]);
});
