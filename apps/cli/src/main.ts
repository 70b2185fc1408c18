import { EXIT } from './failure.js';
import { fileErrorText } from './file-error.js';
import { heddle } from './heddle.js';

// A reader that has seen enough (`| head`) closes the pipe: not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`heddle: standard output cannot be written: ${fileErrorText(error) ?? error.message}\n`);
  process.exit(EXIT.failed);
});

process.exitCode = await heddle(process.argv.slice(2), process);
