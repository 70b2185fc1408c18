import { readFileSync } from 'node:fs';

/** Mount points at or below a folder, the deepest first. `text`: that of /proc/self/mountinfo. */
export function mountsBelow(folder: string, text = readFileSync('/proc/self/mountinfo', 'utf8')): string[] {
  const points = text
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    // The kernel writes blanks in octal.
    .map((point) => point.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8))))
    .filter((point) => point === folder || point.startsWith(`${folder}/`));
  // A later mount may cover an earlier one.
  return points.reverse().sort((a, b) => b.split('/').length - a.split('/').length);
}
