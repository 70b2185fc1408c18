import { join } from 'node:path';
import { wrongUsage } from '../failure.js';
import type { Project } from './read-project.js';

/** The registry takes no package without a publisher. */
export function assertPublisher({ publisher, misspeltPublisher, toolTable }: Project, folder: string): void {
  if (publisher !== '') return;
  const file = join(folder, 'pyproject.toml');
  if (misspeltPublisher !== null)
    throw wrongUsage(
      `${file} names no publisher: ${toolTable}.${misspeltPublisher} has no meaning`,
      'did you mean PublisherId?',
    );
  throw wrongUsage(
    `${file} names no publisher`,
    `add PublisherId = "YOUR-PUBLISHER" below [${toolTable}]; heddle registry create-publisher makes one`,
  );
}
