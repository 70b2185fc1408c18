import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { REGISTRY_LIMITS, RESERVED_NODES } from '@heddle/contracts-registry';
import {
  isNodeId,
  isPublicUrl,
  isPublisherId,
  isText,
  nodeKey,
  parseVersion,
  PUBLIC_URL_RULE,
  textRule,
  VERSION_RULE,
} from '@heddle/registry-domain';
import { parse, TomlError } from 'smol-toml';
import { wrongUsage } from '../failure.js';
import { unreadableText } from '../file-error.js';
import { projectVersion } from './project-version.js';
import { supportedOf } from './supported-systems.js';
import type { Supported } from './supported-systems.js';
import { TomlTable } from './toml-table.js';

const FILE = 'pyproject.toml';

/** What pyproject.toml says of a package, as the registry takes it. Texts are "" where nothing is said. */
export interface Project extends Supported {
  readonly nodeId: string;
  /** Normalised, `X.Y.Z[-pre]`. */
  readonly version: string;
  /** "" where none is given. */
  readonly publisher: string;
  /** The key that stands in its place; null if there is none. */
  readonly misspeltPublisher: string | null;
  /** The table of the file that names the publisher, without its brackets. */
  readonly toolTable: string;
  readonly name: string;
  readonly description: string;
  /** JSON text: `{"file": PATH}` or `{"text": TEXT}`; "" where there is none. */
  readonly license: string;
  readonly repository: string;
  readonly icon: string;
  readonly banner: string;
  readonly dependencies: readonly string[];
  /** Paths below the folder that are packed although git does not track them. */
  readonly includes: readonly string[];
}

/** Reads `[project]` and `[tool.comfy]` or `[tool.heddle]` of a folder's pyproject.toml; what cannot be is wrong usage. */
export async function readProject(folder: string): Promise<Project> {
  const file = join(folder, FILE);
  const root = new TomlTable(file, '', parsed(file, await readProjectFile(file, folder)));
  if (!root.has('project'))
    throw root.wrong('project', 'is missing', 'a package needs [project] with name and version');
  const project = root.table('project');
  const tools = root.table('tool');
  const tool = tools.table(tools.has('heddle') ? 'heddle' : 'comfy');
  const toolTable = tools.has('comfy') && !tools.has('heddle') ? 'tool.comfy' : 'tool.heddle';
  const nodeId = project.text('name');
  if (!isNodeId(nodeId))
    throw project.wrong(
      'name',
      nodeId === '' ? 'is missing' : `"${nodeId}" is not the id of a node`,
      'it has 1 to 100 letters, digits, ".", "_" or "-"; the first and the last are letters or digits',
    );
  if (RESERVED_NODES.has(nodeKey(nodeId)))
    throw project.wrong('name', `"${nodeId}" is a reserved node id`, 'choose another name');
  const given = await projectVersion(folder, project, tool);
  const version = parseVersion(given);
  if (version === null) throw project.wrong('version', `"${given}" is not a version`, `it ${VERSION_RULE}, e.g. 1.2.0`);
  const publisher = tool.text('PublisherId');
  if (publisher !== '' && !isPublisherId(publisher))
    throw tool.wrong('PublisherId', `"${publisher}" is not the id of a publisher`);
  return {
    ...supportedOf(project, tool),
    nodeId,
    version: version.text,
    publisher,
    misspeltPublisher: publisher === '' ? tool.misspelt('PublisherId') : null,
    toolTable,
    name: tool.text('DisplayName', REGISTRY_LIMITS.name),
    description: project.text('description', REGISTRY_LIMITS.description),
    license: licenseOf(project),
    repository: urlIn(project.table('urls'), 'Repository'),
    icon: urlIn(tool, 'Icon'),
    banner: urlIn(tool, 'Banner'),
    includes: tool.texts('includes'),
  };
}

async function readProjectFile(file: string, folder: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\ufeff/, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw wrongUsage(unreadableText(file, error));
    if ((await stat(folder).catch(() => null)) === null) throw wrongUsage(`${folder} does not exist`);
    const step = 'run it in the folder of the package, or name that folder';
    throw wrongUsage(`${folder} has no ${FILE}`, step);
  }
}

function parsed(file: string, text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [problem = ''] = error.message.replace('Invalid TOML document: ', '').split('\n');
    throw wrongUsage(`${file}:${error.line}:${error.column}: ${problem}`);
  }
}

/** "" where there is none. The registry would refuse another one too, under a name that is not in the file. */
function urlIn(table: TomlTable, field: string): string {
  const url = table.text(field);
  const max = REGISTRY_LIMITS.url;
  if (url === '' || (isPublicUrl(url) && [...url].length <= max)) return url;
  throw table.wrong(field, `${PUBLIC_URL_RULE}, of at most ${max} characters`);
}

function licenseOf(project: TomlTable): string {
  const license = licenseJson(project);
  if (isText(license, REGISTRY_LIMITS.license)) return license;
  throw project.wrong('license', `${textRule(REGISTRY_LIMITS.license)} as JSON`, 'name its file: { file = "LICENSE" }');
}

/** `license = "MIT"`, `{ text = … }` and `{ file = … }`. */
function licenseJson(project: TomlTable): string {
  if (!project.has('license')) return '';
  if (!project.isTable('license')) return JSON.stringify({ text: project.text('license') });
  const license = project.table('license');
  const [file, text] = [license.text('file'), license.text('text')];
  if (file !== '') return JSON.stringify({ file });
  return text === '' ? '' : JSON.stringify({ text });
}
