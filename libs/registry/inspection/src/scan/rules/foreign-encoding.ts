import type { CodeRule } from '../code-rule.js';

/** The encoding that one of the first two lines declares (PEP 263). */
const DECLARED = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;
const IS_BLANK_OR_COMMENT = /^[ \t\f]*(#|$)/;
/** Names, with `-` for each separator, of the encodings in which every ASCII byte is that character. */
const PLAIN =
  /^(utf-8(-.*)?|utf8(-sig)?|u8|utf|(us-)?ascii|646|l1|latin-?1(-.*)?|latin-?\d+|iso-latin-1(-.*)?|iso-?8859-1(-.*)?|iso-?8859-\d+|(cp|windows-)125\d|koi8-[ru])$/;

/** Encodings in which a comment may hold code, as utf-7: what is read here is not what Python runs. */
export const foreignEncoding: CodeRule = {
  type: 'hidden-characters',
  message:
    'Declares an encoding in which code can look like a comment. Save the file as UTF-8, and remove the declaration.',
  *find({ text }) {
    for (const line of text.split(/\r\n|\r|\n/, 2)) {
      const name = DECLARED.exec(line)?.[1]?.toLowerCase().replaceAll(/[_.]/g, '-');
      if (name !== undefined && !PLAIN.test(name)) yield { from: text.indexOf(line) };
      if (name !== undefined || !IS_BLANK_OR_COMMENT.test(line)) return;
    }
  },
};
