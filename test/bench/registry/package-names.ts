const FIRST =
  `advanced animated basic batch better color deep depth dynamic easy efficient essential face fast fluid full
  hidden image impact inspire latent layer light lora mask mega micro mixed model motion multi neural noise open photo
  pixel portrait power prompt quick random region rapid scene simple smart smooth sound stable style super tile tiny ultra
  video vision visual wave wild yellow zero`.split(/\s+/);
const SECOND = `adapter analyzer blender booster bridge builder cache caption cleaner composer control converter cropper
  detailer detector diffusion editor effects encoder enhancer essentials extras factory filter flow framework gallery
  generator helpers inpainter interpolation kit lab library loader manager merger metadata mixer nodes pack pipeline
  player preview processor reader remover resizer sampler saver scheduler segmenter selector server sharpener studio suite
  switch toolbox tools tracker trainer transfer translator tuner upscaler utilities viewer wildcards workflow workshop
  writer`.split(/\s+/);
const VERBS = ['Load', 'Save', 'Apply', 'Merge', 'Blend', 'Crop', 'Scale', 'Detect', 'Encode', 'Decode'];
const THINGS = ['Image', 'Mask', 'Latent', 'Model', 'Prompt', 'Video', 'Audio', 'Lora', 'Depth', 'Face'];

export interface BenchPackage {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly classes: readonly string[];
}

/** The package of a number: words that many others have, too, and a class for each pair of a verb and a thing. */
export function packageOf(number: number): BenchPackage {
  const first = FIRST[number % FIRST.length]!;
  const second = SECOND[Math.floor(number / FIRST.length) % SECOND.length]!;
  const other = FIRST[(number * 7 + 3) % FIRST.length]!;
  // Letters, because digits of ids may look like others.
  const end = [...String(number)].map((digit) => 'abcdefghkm'[Number(digit)]).join('');
  return {
    id: `comfyui-${first}-${second}-${end}`,
    name: `${capital(first)} ${capital(second)}`,
    description: `A ${other} ${second} for ${first} workflows: loads, changes and saves what the graph is given.`,
    tags: [other, second],
    classes: VERBS.flatMap((verb) => THINGS.map((thing) => `${capital(end)}${verb}${thing}`)).sort(),
  };
}

/** What people type: names, words of many packages, parts of words, beginnings, classes, and what nothing holds. */
export const SEARCHES: readonly string[] = [
  ...[17, 4_711, 9_876].flatMap((number) => {
    const { id, name, classes } = packageOf(number);
    return [id, name, classes[0]!, name.split(' ')[1]!];
  }),
  ...[
    'comfyui',
    'image',
    'upscaler',
    'workflow',
    'load image',
    'sampler',
    'video tools',
    'pack',
    'lora',
    'face detector',
  ],
  ...['com', 'ima', 'up', 'c', 'ampl', 'graph', 'utilities face', 'portrait photo', 'LoadImage', 'saves what'],
  ...['comfy image', 'upscalre', 'imgae', 'zzzzqqqq', 'smart', 'zero', 'w', 'wor', 'nodes', 'mega pack'],
];

function capital(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}
