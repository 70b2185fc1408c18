import { oneName } from '../admin/one-name.js';
import { wrongUsage } from '../failure.js';

const WHOLE_KEY = /^hdl_([a-z0-9]{16})_/;

/** The id of a key. Of a whole key only its id is sent: the rest must reach no log. */
export function keyId(words: readonly string[], command: string): string {
  const given = oneName(words, command, 'the id of a key');
  const id = WHOLE_KEY.exec(given)?.[1] ?? given;
  if (/^[a-z0-9]{1,16}$/.test(id)) return id;
  throw wrongUsage('the id of a key is 16 characters of a-z and 0-9', 'heddle keys list shows the ids');
}
