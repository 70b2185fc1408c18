import { existsSync } from 'node:fs';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { goModuleFolder } from '../../charts/go-module-folder.ts';

/** A file with the definitions of KEDA's objects, as its module has them. Once written it needs no module. */
export async function installKedaDefinitions(folder: string, version: string): Promise<string> {
  const target = join(folder, `keda-definitions-${version}.yaml`);
  if (existsSync(target)) return target;
  const bases = join(await goModuleFolder(folder, `github.com/kedacore/keda/v2@v${version}`), 'config/crd/bases');
  const files = (await readdir(bases)).filter((name) => name.endsWith('.yaml')).sort();
  const texts = await Promise.all(files.map(async (name) => await readFile(join(bases, name), 'utf8')));
  await writeFile(`${target}.${process.pid}`, texts.join('\n---\n'));
  await rename(`${target}.${process.pid}`, target);
  return target;
}
