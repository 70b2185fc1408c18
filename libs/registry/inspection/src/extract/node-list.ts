import type { PackageFiles } from '../package-files.js';

/** The keys of `node_list.json` at the root of a package: the names of classes that cannot be read from the source. */
export function listedNames({ texts }: PackageFiles): string[] {
  const text = texts.get('node_list.json');
  if (text === undefined) return [];
  try {
    const list: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return typeof list === 'object' && list !== null && !Array.isArray(list) ? Object.keys(list) : [];
  } catch {
    return [];
  }
}
