import { CliFailure, EXIT, failed } from '../failure.js';
import { seconds } from '../command-line/read-arguments.js';
import type { JsonRecord } from '../api/wire.js';
import { publisherToken } from '../registry/member-credential.js';
import { registryCommand } from '../registry/registry-command.js';
import type { RegistryCall } from '../registry/registry-command.js';
import { recordIn, textIn } from '../registry/registry-answers.js';
import { printFindings } from '../registry/render-findings.js';
import { fullName, printVersion, statusOf } from '../registry/render-version.js';
import { withTokenOf } from '../registry/token-of.js';
import { byteText, counted } from '../terminal/quantities.js';
import type { Terminal } from '../terminal/terminal.js';
import { assertPublisher } from './assert-publisher.js';
import { awaitScan } from './await-scan.js';
import { isBlocked, withCheckedPackage } from './check-package.js';
import type { CheckedPackage } from './check-package.js';
import { packageFolder } from './package-folder.js';
import { publishBody } from './publish-body.js';
import { uploadPackage } from './upload-package.js';

const WAIT_MS = 60_000;

export const publishCommand = registryCommand({
  name: 'registry publish',
  summary: 'check a package, publish it, upload it and wait for its scan',
  words: '[DIR]',
  options: {
    force: { value: null, meaning: 'publish with blocking findings too: the version waits for a review' },
    wait: { value: 'SECONDS', meaning: 'how long to wait for the scan (60)' },
  },
  examples: [
    'heddle registry publish',
    'HEDDLE_REGISTRY_TOKEN=hdr_... heddle registry publish nodes/image-tools --json',
  ],
  notes: () =>
    Promise.resolve([
      'pyproject.toml: [project] name, version (or dynamic with tool.comfy.version.path), description, license, dependencies, classifiers, urls.Repository; [tool.comfy] or [tool.heddle] PublisherId, DisplayName, Icon, Banner, includes, requires-comfyui.',
      'The package has the files that git tracks, less those of .comfyignore, plus the includes. Equal files make equal bytes.',
      'The token is that of HEDDLE_REGISTRY_TOKEN, else the one that registry login has kept. Exit 1 unless the version is active.',
    ]),
  async run(call) {
    const { words, options, terminal, env, registry } = call;
    const folder = packageFolder(words, 'registry publish');
    const waitMs = seconds(options, 'wait') ?? WAIT_MS;
    return await withCheckedPackage(folder, terminal, async (checked) => {
      assertPublisher(checked.project, folder);
      const { publisher } = checked.project;
      assertUnblocked(checked, call);
      const token = await publisherToken(env, registry, publisher);
      if (token === null)
        throw failed(
          `no token of the publisher ${publisher} for ${registry.base}`,
          `heddle registry create-token ${publisher} --name NAME makes one; heddle registry login ${publisher} keeps it`,
        );
      const published = await publish(checked, token, call);
      await uploadPackage(registry, published.signedUrl, checked, terminal);
      const { nodeId, version } = published;
      if (!terminal.json)
        terminal.say(
          `uploaded ${counted(checked.files, 'file')}, ${byteText(checked.sizeBytes)}; waiting for the scan`,
        );
      const found = await awaitScan(registry, { nodeId, version }, { as: { token }, waitMs });
      printVersion(found, terminal);
      return ended(found, terminal);
    });
  },
});

/** The registry would flag it, and a version number would be used up. */
function assertUnblocked(checked: CheckedPackage, { options, terminal }: RegistryCall): void {
  if (!terminal.json) printFindings(checked.findings, terminal);
  if (!isBlocked(checked) || options.on('force')) return;
  const blocking = checked.findings.filter(({ severity }) => severity === 'block').length;
  const message = `the scan has ${counted(blocking, 'blocking finding')}; nothing was published`;
  throw new CliFailure(message, EXIT.failed, 'fix them, or publish the version for a review with --force', {
    code: 'blocked',
    message,
    findings: checked.findings,
  });
}

async function publish(
  { project, ...packed }: CheckedPackage,
  token: string,
  { registry }: RegistryCall,
): Promise<{ readonly signedUrl: string; readonly nodeId: string; readonly version: string }> {
  const path = `/publishers/${project.publisher}/nodes/${encodeURIComponent(project.nodeId)}/versions`;
  const asked = registry.call('POST', path, { body: publishBody(project, packed, token) });
  const answer = recordIn(await withTokenOf(project.publisher, `PublisherId is ${project.publisher}`, asked));
  const made = recordIn(answer['node_version'] ?? null);
  return {
    signedUrl: textIn(answer, 'signedUrl'),
    nodeId: textIn(made, 'node_id'),
    version: textIn(made, 'version'),
  };
}

function ended(version: JsonRecord, terminal: Terminal): number {
  const status = statusOf(version);
  if (status === 'active') return EXIT.done;
  const name = fullName(version);
  const step =
    status === 'pending'
      ? `the scan has not ended yet; heddle registry status ${name} shows it`
      : `mend it and publish the next version, or heddle registry request-review ${name} asks for a look at this one`;
  terminal.say(`${name} is ${status ?? textIn(version, 'status')}: ${step}`);
  return EXIT.failed;
}
