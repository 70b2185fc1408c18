import type { Command } from '../command-line/command.js';
import { EXIT } from '../failure.js';
import { printFindings } from '../registry/render-findings.js';
import { plainText } from '../terminal/plain-text.js';
import { byteText, counted } from '../terminal/quantities.js';
import type { Terminal } from '../terminal/terminal.js';
import { assertPublisher } from './assert-publisher.js';
import { isBlocked, withCheckedPackage } from './check-package.js';
import type { CheckedPackage } from './check-package.js';
import { packageFolder } from './package-folder.js';

export const checkCommand: Command = {
  name: 'registry check',
  summary: 'scan a package and list its classes as the registry would, without a service',
  words: '[DIR]',
  judges: true,
  options: {},
  isLocal: true,
  examples: ['heddle registry check', 'heddle registry check nodes/image-tools --json | jq -r .wf_nodes[]'],
  notes: () =>
    Promise.resolve([
      'It reads the files that git tracks, less those of .comfyignore, plus the includes of pyproject.toml, and runs none of them. A blocking finding is exit 1; a file without a publisher is exit 2.',
    ]),
  async run({ words, terminal }) {
    const folder = packageFolder(words, 'registry check');
    return await withCheckedPackage(folder, terminal, (checked) => {
      print(checked, words, terminal);
      // What is missing in the file is said last: the findings are of use without it.
      assertPublisher(checked.project, folder);
      return Promise.resolve(isBlocked(checked) ? EXIT.failed : EXIT.done);
    });
  },
};

function print(checked: CheckedPackage, words: readonly string[], terminal: Terminal): void {
  const { project, files, sizeBytes, classes, findings, extractReason } = checked;
  const { nodeId, version } = project;
  terminal.printJson({ node_id: nodeId, version, files, size_bytes: sizeBytes, wf_nodes: classes, findings });
  if (terminal.json) return;
  printFindings(findings, terminal);
  terminal.print(`${nodeId}@${version}: ${counted(files, 'file')}, ${byteText(sizeBytes)} packed`);
  const names = classes.length === 0 ? extractReason : classes.join(', ');
  terminal.print(plainText(`node classes: ${names || 'none'}`));
  const blocking = findings.filter(({ severity }) => severity === 'block').length;
  const rest = findings.length - blocking;
  terminal.print(`scan: ${counted(blocking, 'blocking finding')}, ${counted(rest, 'warning')}`);
  if (checked.project.publisher === '') return;
  if (blocking === 0) terminal.say(plainText(`next: ${['heddle registry publish', ...words].join(' ')}`));
  else terminal.say('the registry would flag this version: it is installed by --allow-flagged alone until a review');
}
