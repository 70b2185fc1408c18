import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sourceFiles } from './source-files.ts';

const PORTS = 'libs/contracts/messages/src';
/** An exported port, and the comment right before it. */
const PORT = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export interface (\w+Port)\b/g;
const SUITE = /`([\w./-]+\.suite\.ts)`/g;
/** Stands in the comment of a port without a second implementation. The reason follows. */
const ALONE = /\bOne\s+implementation:/;

/** Ports between contexts whose comment names no conformance suite, and no reason why there is none. */
export function portSuites(root: string): string[] {
  return sourceFiles(root, [PORTS], ['.ts']).flatMap(({ path, text }) =>
    [...text.matchAll(PORT)].flatMap(([, comment = '', name]) => {
      const prose = comment.replaceAll(/\n \* ?/g, ' ');
      const suites = [...prose.matchAll(SUITE)].map(([, suite]) => suite!);
      if (suites.length === 0 && !ALONE.test(prose)) {
        return [`${path}: ${name} names no \`….suite.ts\` that its implementations pass, nor "One implementation: …"`];
      }
      return suites
        .filter((suite) => !existsSync(join(root, suite)))
        .map((suite) => `${path}: ${name} names the suite ${suite}, which does not exist`);
    }),
  );
}
