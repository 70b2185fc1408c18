/** Why an archive is refused, or an entry of it cannot be unpacked: a whole sentence for the publisher. */
export class ArchiveProblem extends Error {
  override readonly name = 'ArchiveProblem';
}

const MAX_SHOWN = 120;

/** The name of an entry as a sentence shows it: quoted, invisible characters as escapes, at most 120 characters. */
export function shown(name: string): string {
  const text = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name;
  return `"${text.replace(/[\p{C}"]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)}"`;
}
