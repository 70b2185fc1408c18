/** Content of the page at `/`. */
export interface StartPage {
  readonly version: string;
  /** Origin of the API, without a trailing slash. */
  readonly base: string;
  /** URL of health and metrics on the service's own machine; null if unknown. */
  readonly healthUrl: string | null;
}

/** The guides come with the program: no public site has them. */
const DOCS = 'docs/README.md in the folder of this Heddle';

export function startPageJson({ version, base, healthUrl }: StartPage): string {
  return JSON.stringify({
    name: 'heddle',
    version,
    links: { api: `${base}/api/v2`, openapi: `${base}/api/v2/openapi.json`, health: healthUrl },
    docs: DOCS,
  });
}

/** Only markup, without scripts, styles and images, so that its policy can forbid them all. */
export function startPageHtml({ version, base, healthUrl }: StartPage): string {
  const link = (url: string): string => `<a href="${escaped(url)}">${escaped(url)}</a>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Heddle ${escaped(version)}</title>
<h1>Heddle ${escaped(version)}</h1>
<p>This is the API of a workflow execution service. Programs use it below ${escaped(base)}/api/v2.</p>
<ul>
<li>API document (OpenAPI): ${link(`${base}/api/v2/openapi.json`)}</li>
${healthUrl === null ? '' : `<li>Health, on the machine of the service: ${link(healthUrl)}</li>\n`}<li>Documentation: ${escaped(DOCS)}</li>
<li>First steps: <code>heddle help</code></li>
</ul>
</html>
`;
}

/** Browsers list HTML first; clients that accept anything get JSON. */
export function wantsHtml(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map((entry) => entry.split(';', 1)[0]!.trim().toLowerCase());
  const html = types.indexOf('text/html');
  const json = types.indexOf('application/json');
  return html >= 0 && (json < 0 || html < json);
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
