import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  const failed = [...buf(root, 'generate', '-o', code), ...buf(root, 'build', '--exclude-source-info', '-o', image)];
  if (failed.length === 0) writeFileSync(join(code, 'repeatable-calls.ts'), repeatableCalls(image));
  return failed;
}

/** The part of an image that the list of repeatable calls needs. */
interface ProtoImage {
  readonly file: readonly {
    readonly package: string;
    readonly service?: readonly {
      readonly name: string;
      readonly method: readonly { readonly name: string; readonly options?: { readonly idempotencyLevel?: string } }[];
    }[];
  }[];
}

function repeatableCalls(image: string): string {
  const { file } = JSON.parse(readFileSync(image, 'utf8')) as ProtoImage;
  const paths = file.flatMap(({ package: folder, service = [] }) =>
    service.flatMap(({ name, method }) =>
      method
        .filter(({ options }) => options?.idempotencyLevel === 'IDEMPOTENT')
        .map((call) => `/${folder}.${name}/${call.name}`),
    ),
  );
  return [
    '// Written by tools/generate-protocols.ts: the calls with `idempotency_level = IDEMPOTENT`.',
    '/** A channel retries these calls by itself. */',
    'export const REPEATABLE_CALLS = [',
    ...paths.map((path) => `  { path: '${path}' },`),
    '] as const;',
    '',
  ].join('\n');
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
