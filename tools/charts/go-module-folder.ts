import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Where Go keeps the files of a module, which it downloads if it is new. `from`: a folder outside of any Go module. */
export async function goModuleFolder(from: string, module: string): Promise<string> {
  const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', module], {
    cwd: from,
    env: { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off' },
  });
  return (JSON.parse(stdout) as { readonly Dir: string }).Dir;
}
