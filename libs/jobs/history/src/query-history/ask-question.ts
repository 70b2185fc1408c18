import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ChildWatch, type ChildEnd } from './child-watch.js';
import type { PlainValue } from './plain-value.js';
import { QueryError } from './query-error.js';
import type { FromQuery, QueryColumn, Question, ToQuery } from './query-messages.js';

/** Built code, also when this file is run from its source. */
const ENTRY = fileURLToPath(new URL('../../dist/query-history/query-child.js', import.meta.url));
/** Rows on their way to the command are small; the rows of the engine are outside of the heap. */
const HEAP_MIB = 256;
/** No settings of the command and no secrets: SQL could look for them. */
const INHERITED = ['PATH', 'LD_LIBRARY_PATH', 'TZ'];

export interface QueryRows {
  readonly columns: readonly QueryColumn[];
  /** Rows in batches; read them before the function that got them returns. */
  rows(): AsyncIterable<readonly (readonly PlainValue[])[]>;
}

/** The process of one question. It starts, and loads the engine, while the files of the question are found and checked. */
export class QuestionProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<ChildEnd>;

  constructor() {
    const env = Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
    const child = fork(ENTRY, [], { env, execArgv: [`--max-old-space-size=${HEAP_MIB}`], serialization: 'json' });
    this.#child = child;
    this.#exited = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
    // A message to a process that has just ended fails; `close` reports the end.
    child.on('error', () => undefined);
  }

  /** Asks the one question. The process is killed beyond its time or memory. */
  async ask<T>(question: Question, signal: AbortSignal, use: (found: QueryRows) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const child = this.#child;
    const watch = new ChildWatch(child, question);
    const kill = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', kill, { once: true });
    try {
      const answers = answersOf(child);
      child.send({ is: 'question', question } satisfies ToQuery);
      return await use(await rowsOf(child, answers));
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof ChildGoneError ? watch.reason(await this.#exited) : error;
    } finally {
      signal.removeEventListener('abort', kill);
      watch.stop();
    }
  }

  async end(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}

/** Asks one question in a process of its own. */
export async function askQuestion<T>(
  question: Question,
  signal: AbortSignal,
  use: (found: QueryRows) => Promise<T>,
): Promise<T> {
  const asked = new QuestionProcess();
  try {
    return await asked.ask(question, signal, use);
  } finally {
    await asked.end();
  }
}

class ChildGoneError extends Error {}

async function rowsOf(child: ChildProcess, answers: AsyncIterator<FromQuery>): Promise<QueryRows> {
  const first = await nextOf(answers);
  // A question whose rows go to a file has no columns to send.
  if (first.is !== 'columns') return { columns: [], rows: noRows };
  return {
    columns: first.columns,
    rows: async function* () {
      for (let found = await nextOf(answers); found.is === 'rows'; found = await nextOf(answers)) {
        yield found.rows;
        child.send({ is: 'more' } satisfies ToQuery);
      }
    },
  };
}

async function* noRows(): AsyncGenerator<never> {
  // There are none.
}

async function nextOf(answers: AsyncIterator<FromQuery>): Promise<FromQuery> {
  const { value, done } = await answers.next();
  if (done === true) throw new ChildGoneError('the process of the query has ended');
  const found = value as FromQuery;
  if (found.is !== 'error') return found;
  throw found.code === null ? new Error(found.message) : new QueryError(found.code, found.message);
}

/** The messages of a process until it ends. */
async function* answersOf(child: ChildProcess): AsyncGenerator<FromQuery> {
  const waiting: FromQuery[] = [];
  let [wake, hasEnded] = [(): void => undefined, child.exitCode !== null || child.signalCode !== null];
  child.on('message', (message: FromQuery) => {
    waiting.push(message);
    wake();
  });
  child.once('close', () => {
    hasEnded = true;
    wake();
  });
  for (;;) {
    const found = waiting.shift();
    if (found !== undefined) yield found;
    else if (hasEnded) return;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
}
