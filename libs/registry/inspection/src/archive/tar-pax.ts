import { ArchiveProblem, shown } from './archive-problem.js';

/** The records `<length> <key>=<value>\n` of an extended header. */
export function readPax(bytes: Buffer, header: string): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(0x20, at);
    const length = blank < 0 ? Number.NaN : Number(bytes.toString('latin1', at, blank));
    const end = at + length;
    const equals = bytes.indexOf(0x3d, blank);
    if (!(blank - at < 8 && equals > blank && equals < end && end <= bytes.length && bytes[end - 1] === 0x0a)) {
      throw new ArchiveProblem(`The extended header ${shown(header)} of the tar is damaged. Pack the package again.`);
    }
    records.set(bytes.toString('utf8', blank + 1, equals), bytes.toString('utf8', equals + 1, end - 1));
    at = end;
  }
  return records;
}
