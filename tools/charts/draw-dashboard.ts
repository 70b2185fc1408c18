// Draws the dashboard from a Prometheus: `node tools/charts/draw-dashboard.ts --help`.
import { writeFile } from 'node:fs/promises';
import { DRAW_HELP, DrawUsageError, readDrawCommand } from './pictures/arguments.ts';
import { drawDashboard } from './pictures/dashboard-picture.ts';

const EXIT = { done: 0, failed: 1, usage: 2 } as const;

async function main(words: readonly string[]): Promise<number> {
  const command = readDrawCommand(words);
  if (command === 'help') {
    process.stdout.write(DRAW_HELP);
    return EXIT.done;
  }
  const { prometheus, minutes, out, scrapeIntervalS } = command;
  const to = Math.floor(Date.now() / 1_000);
  const picture = await drawDashboard(prometheus, { from: to - minutes * 60, to, scrapeIntervalS });
  await writeFile(out, picture);
  process.stderr.write(`heddle: ${out} is written\n`);
  return EXIT.done;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`heddle: ${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof DrawUsageError ? EXIT.usage : EXIT.failed;
});
