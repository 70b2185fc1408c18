// The process of one question. It is killed if the engine does not keep to its limits (ask-question.ts).
import { once } from 'node:events';
import { answerQuestion } from './answer-question.js';
import { QueryError } from './query-error.js';
import type { FromQuery, ToQuery } from './query-messages.js';

// The command is gone: nobody wants the answer.
process.once('disconnect', () => process.exit());
// Ctrl-C reaches the whole group; the command decides.
process.on('SIGINT', () => undefined);

const send = (message: FromQuery): void => void process.send?.(message);
/** The channel closes once the message is through. */
const sendLast = (message: FromQuery): void => void process.send?.(message, () => process.disconnect());

process.once('message', (first: ToQuery) => {
  if (first.is !== 'question') return;
  void answerQuestion(first.question, {
    columns: (columns) => send({ is: 'columns', columns }),
    rows: async (rows) => {
      const wanted = once(process, 'message');
      send({ is: 'rows', rows });
      await wanted;
    },
  })
    .then(
      () => sendLast({ is: 'end' }),
      (error: unknown) =>
        sendLast({
          is: 'error',
          code: error instanceof QueryError ? error.code : null,
          message: error instanceof Error ? error.message : String(error),
        }),
    )
    .catch(() => process.exit(1));
});
