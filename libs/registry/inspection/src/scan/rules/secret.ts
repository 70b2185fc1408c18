import type { CodePlace } from '../code-rule.js';

/** Forms of credentials that are found by their look alone. Each token is group 1. */
const TOKENS: readonly RegExp[] = [
  /\b((?:AKIA|ASIA)[0-9A-Z]{16})\b/g,
  /\b(gh[pousr]_[A-Za-z0-9]{36,255})\b/g,
  /\b(github_pat_[A-Za-z0-9_]{82})\b/g,
  /\b(glpat-[A-Za-z0-9_-]{20,40})\b/g,
  /\b(hf_[A-Za-z]{34})\b/g,
  /\b(sk-(?:proj|svcacct|ant|or)-[A-Za-z0-9_-]{32,200})/g,
  /\b(sk-[A-Za-z0-9]{48})\b/g,
  /\b(AIza[0-9A-Za-z_-]{35})\b/g,
  /\b([rs]k_live_[0-9a-zA-Z]{24,99})\b/g,
  /\b(xox[abprs]-[0-9A-Za-z-]{20,200})/g,
  /\b(npm_[A-Za-z0-9]{36})\b/g,
  /\b(pypi-AgE[A-Za-z0-9_-]{50,250})/g,
  /\b(r8_[A-Za-z0-9]{37})\b/g,
  /\b(hd[lr]_[a-z0-9]{16}_[A-Za-z0-9]{43}_[0-9a-f]{8})\b/g,
  /\b(https:\/\/discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[A-Za-z0-9_-]{60,80})/g,
];
/** With the beginning of the key behind it: code that compares with the line alone has none. */
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----(?:\\n|\\r|[\s"'+\\,]){0,20}((?:[A-Za-z-]{4,20}: [^\n]{0,100}\n){0,3}\s{0,4}[A-Za-z0-9+/=]{32})/g;
/** Examples in documentation: `xxxx…`, `0000…` and AWS's own. */
const MIN_DISTINCT = 8;

export const secret = {
  type: 'secret' as const,
  message: 'Contains a private key or a token. Remove it and revoke it: everyone who downloads the package can use it.',
  *find(text: string): Iterable<CodePlace> {
    for (const match of text.matchAll(PRIVATE_KEY)) {
      yield { from: match.index, hideUntil: match.index + match[0].length };
    }
    for (const form of TOKENS) {
      for (const match of text.matchAll(form)) {
        const token = match[1] ?? '';
        if (new Set(token).size < MIN_DISTINCT || /EXAMPLE|xxxx|XXXX|\.\.\./.test(token)) continue;
        yield { from: match.index, hideUntil: match.index + token.length };
      }
    }
  },
};
