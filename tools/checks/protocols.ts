import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROTO = 'libs/contracts/proto';
const GENERATED = 'libs/internal-api/src/generated';
/** The last landed version of every proto, as `buf` compiles it. */
const IMAGE = `${PROTO}/landed.json`;
const MEND = 'node tools/generate-protocols.ts';

/** The protos follow their rules and do not break the landed version, and the generated code matches them. */
export function protocols(root: string): string[] {
  const problems = [...buf(root, 'lint'), ...breaking(root)];
  if (problems.length > 0) return problems;
  const folder = mkdtempSync(join(tmpdir(), 'heddle-protocol-'));
  try {
    const failed = generate(root, join(folder, 'code'), join(folder, 'landed.json'));
    if (failed.length > 0) return failed;
    return [
      ...differentCode(join(folder, 'code'), join(root, GENERATED)),
      ...differs(join(folder, 'landed.json'), join(root, IMAGE), IMAGE),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes the generated code and the image of the protos. Refuses protos that break the landed ones. */
export function generateProtocols(root: string): string[] {
  const problems = [...buf(root, 'lint'), ...breaking(root)];
  return problems.length > 0 ? problems : generate(root, join(root, GENERATED), join(root, IMAGE));
}

/** Compares every generated file, and finds extra ones. */
function differentCode(made: string, kept: string): string[] {
  const files = new Set([made, kept].flatMap((folder) => globSync('**/*.ts', { cwd: folder })));
  return [...files].flatMap((file) => differs(join(made, file), join(kept, file), `${GENERATED}/${file}`));
}

function breaking(root: string): string[] {
  return existsSync(join(root, IMAGE)) ? buf(root, 'breaking', '--against', join(root, IMAGE)) : [];
}

function generate(root: string, code: string, image: string): string[] {
  return [...buf(root, 'generate', '-o', code), ...buf(root, 'build', '--exclude-source-info', '-o', image)];
}

function buf(root: string, ...args: readonly string[]): string[] {
  const child = spawnSync(join(root, 'node_modules/.bin/buf'), args, {
    cwd: join(root, PROTO),
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env['PATH'] ?? ''}` },
  });
  if (child.status === 0) return [];
  const text = `${child.stdout ?? ''}${child.stderr ?? ''}${child.error?.message ?? ''}`.trim();
  return text === '' ? [`buf ${args[0]} ended with exit code ${child.status}`] : text.split('\n');
}

function differs(made: string, kept: string, name: string): string[] {
  const both = existsSync(kept) && existsSync(made);
  const same = both && readFileSync(made, 'utf8') === readFileSync(kept, 'utf8');
  return same ? [] : [`${name} is not made of ${PROTO}: ${MEND}`];
}
