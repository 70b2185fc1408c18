import { EXIT } from './failure.js';
import { fileErrorText } from './file-error.js';
import { heddle, isJudgement } from './heddle.js';
import type { TerminalStream } from './terminal/terminal.js';

const given = process.argv.slice(2);
const judges = isJudgement(given);
let isRead = true;
let exitCode: number = EXIT.done;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough (`| head`) closes the pipe: not an error. A judgement is made to its end.
  if (error.code === 'EPIPE' || !isRead) {
    isRead = false;
    if (!judges) process.exit(exitCode);
    return;
  }
  process.stderr.write(`heddle: standard output cannot be written: ${fileErrorText(error) ?? error.message}\n`);
  process.exit(EXIT.failed);
});

const stdout: TerminalStream = {
  write: (text) => isRead && process.stdout.write(text),
  get isTTY() {
    return process.stdout.isTTY;
  },
  get columns() {
    return process.stdout.columns;
  },
};

const failing = (code: number): void => {
  exitCode = code;
};
process.exitCode = await heddle(given, { stdout, stderr: process.stderr, env: process.env, failing });
