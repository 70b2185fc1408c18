import { isUuid } from '@heddle/contracts-messages';
import type { ApiClient } from '../api/api-client.js';
import { isPartialId } from '../command-line/partial-id.js';
import { failed, wrongUsage } from '../failure.js';
import { jobPages } from './job-pages.js';

/** The beginning of a version 7 id is the time, which jobs of a minute share; their ends differ. */
const SHORT = 8;
/** The URL of a job, as its `urls.self` has it: people copy it. The service of --url is asked all the same. */
const OF_A_JOB = /^(?:https?:\/\/[^/\s]+)?\/(?:\S*\/)?api\/v2\/jobs\/([\da-f-]{36})\/?$/i;
/** Jobs searched for a partial id: ten pages. */
export const SEARCHED = 1_000;
const LISTED = 5;

/** The end of an id, which differs between jobs of the same minute. */
export function shortId(id: string): string {
  return id.slice(-SHORT);
}

/** How many characters at the end are needed to distinguish these ids. */
export function shortLength(ids: readonly string[]): number {
  const different = new Set(ids).size;
  let length = SHORT;
  while (length < 36 && new Set(ids.map((id) => id.slice(-length))).size < different) length += 1;
  return length;
}

/** The one job of a command, by its id or a part of it; an invalid word is refused before anything is sent. */
export function oneJob(words: readonly string[], command: string): string {
  const [word, ...rest] = words;
  if (word === undefined || rest.length > 0)
    throw wrongUsage(`${command} takes one job`, `heddle ${command} JOB; heddle jobs lists them`);
  const id = (OF_A_JOB.exec(word)?.[1] ?? word).toLowerCase();
  if (isUuid(id) || isPartialId(id)) return id;
  throw wrongUsage(
    `"${word}" is not a job id`,
    'give an id, or at least 4 of the hexadecimal digits of its beginning or end; heddle jobs lists the jobs',
  );
}

/** Completes a partial job id among the newest jobs. */
export async function wholeJobId(client: ApiClient, word: string): Promise<string> {
  if (isUuid(word)) return word;
  const ids: string[] = [];
  for await (const job of jobPages(client, new URLSearchParams(), SEARCHED)) ids.push(job.id);
  return uniqueMatch(ids, word);
}

/** The one id that begins or ends with the word. */
export function uniqueMatch(ids: readonly string[], word: string): string {
  if (isUuid(word)) return word;
  const fitting = ids.filter((id) => id.startsWith(word) || id.endsWith(word));
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  if (only === undefined)
    throw failed(
      `none of the newest ${SEARCHED} jobs has an id that begins or ends with ${word}`,
      'heddle jobs lists the jobs; give the whole id of an older one',
    );
  const more = fitting.length > LISTED ? [`and ${fitting.length - LISTED} more`] : [];
  throw wrongUsage(
    `${fitting.length} jobs have an id that begins or ends with ${word}`,
    [...fitting.slice(0, LISTED), ...more].join('\n'),
  );
}
