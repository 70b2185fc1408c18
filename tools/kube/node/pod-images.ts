import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeImage } from '../../images/image-archive.ts';
import { PAUSE } from '../kube-tools.ts';
import { toolOutput } from '../run-tool.ts';
import type { NodePlaces } from './node-places.ts';

/** As the runtime writes names without a registry. */
const REGISTRY = 'docker.io/library';
const PAUSE_NAME = 'heddle-pause';
export const PAUSE_IMAGE = `${REGISTRY}/${PAUSE_NAME}:${PAUSE}`;

/** An archive as `docker save` writes it. */
export interface ImageArchive {
  readonly name: string;
  readonly tag: string;
  readonly file: string;
}

/** The images of a node. Nothing is pulled: what a pod names must have been imported. */
export class PodImages {
  readonly #ctr: string;
  readonly #socket: string;

  constructor(ctr: string, { socket }: NodePlaces) {
    this.#ctr = ctr;
    this.#socket = socket;
  }

  /** Makes it available by its tag and by the digest that it returns. */
  async import({ name, tag, file }: ImageArchive): Promise<string> {
    await this.#run('import', '--local', file);
    const reference = `${REGISTRY}/${name}:${tag}`;
    const listed = await this.#run('ls', `name==${reference}`);
    const digest = /\bsha256:[0-9a-f]{64}\b/.exec(listed)?.[0];
    if (digest === undefined) throw new Error(`${file} was imported, but holds no image ${name}:${tag}`);
    await this.#run('tag', '--force', reference, `${REGISTRY}/${name}@${digest}`);
    return digest;
  }

  async #run(...words: readonly string[]): Promise<string> {
    return await toolOutput(this.#ctr, ['--address', this.#socket, '--namespace', 'k8s.io', 'images', ...words]);
  }
}

/** The image of the first process of each pod: one static program. */
export async function makePauseImage(program: string, { images }: NodePlaces): Promise<ImageArchive> {
  const file = join(images, 'pause.tar');
  const plan = { name: PAUSE_NAME, tag: PAUSE, runs: { Entrypoint: ['/pause'], User: '65535:65535' } };
  const content = (): Buffer => readFileSync(program);
  if (!existsSync(file)) await writeImage([{ path: 'pause', type: 'file', mode: 0o755, content }], plan, file);
  return { ...plan, file };
}
