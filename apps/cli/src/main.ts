import { heddle } from './heddle.js';

// A reader that has seen enough (`| head`) closes the pipe: not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await heddle(process.argv.slice(2), process);
