/**
 * Character references (`&amp;`, `&#65;`) as characters. The lexer leaves them to an HTML parser, and there is none here.
 * Named ones are those of HTML 4 and of ASCII punctuation: all 2,231 of HTML 5 would weigh more than the lexer's rules.
 * An unknown name stays as written. Pure.
 */

/** Names of consecutive code points from the number on; `-` is a gap. */
const runs: readonly (readonly [number, string])[] = [
  [9, 'Tab NewLine'],
  [33, 'excl quot num dollar percnt amp apos lpar rpar ast plus comma - period sol'],
  [58, 'colon semi lt equals gt quest commat'],
  [91, 'lbrack bsol rbrack Hat lowbar grave'],
  [123, 'lbrace vert rbrace'],
  [160, 'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute'],
  [181, 'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring'],
  [198, 'AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml'],
  [215, 'times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil'],
  [232, 'egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash'],
  [249, 'ugrave uacute ucirc uuml yacute thorn yuml'],
  [338, 'OElig oelig'],
  [352, 'Scaron scaron'],
  [376, 'Yuml'],
  [402, 'fnof'],
  [710, 'circ'],
  [732, 'tilde'],
  [913, 'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon'],
  [934, 'Phi Chi Psi Omega'],
  [945, 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau'],
  [965, 'upsilon phi chi psi omega'],
  [977, 'thetasym upsih'],
  [982, 'piv'],
  [8194, 'ensp emsp'],
  [8201, 'thinsp'],
  [8204, 'zwnj zwj lrm rlm dash'],
  [8211, 'ndash mdash'],
  [8216, 'lsquo rsquo sbquo - ldquo rdquo bdquo - dagger Dagger bull'],
  [8230, 'hellip'],
  [8240, 'permil - prime Prime'],
  [8249, 'lsaquo rsaquo'],
  [8254, 'oline'],
  [8260, 'frasl'],
  [8364, 'euro'],
  [8465, 'image'],
  [8472, 'weierp'],
  [8476, 'real'],
  [8482, 'trade'],
  [8501, 'alefsym'],
  [8592, 'larr uarr rarr darr harr'],
  [8629, 'crarr'],
  [8656, 'lArr uArr rArr dArr hArr'],
  [8704, 'forall - part exist - empty - nabla isin notin - ni - - - prod - sum minus'],
  [8727, 'lowast - - radic - - prop infin - ang - - - - - - and or cap cup int'],
  [8756, 'there4'],
  [8764, 'sim'],
  [8773, 'cong - - asymp'],
  [8800, 'ne equiv - - le ge'],
  [8834, 'sub sup nsub - sube supe'],
  [8853, 'oplus - otimes'],
  [8869, 'perp'],
  [8901, 'sdot'],
  [8968, 'lceil rceil lfloor rfloor'],
  [9674, 'loz'],
  [9733, 'starf star'],
  [9824, 'spades - - clubs - hearts diams'],
  [10003, 'check - - - cross'],
  [10216, 'lang rang'],
];

let table: Map<string, string> | undefined;

function readTable(): Map<string, string> {
  table = new Map();
  for (const [first, names] of runs) {
    names.split(' ').forEach((name, i) => table?.set(name, String.fromCodePoint(first + i)));
  }
  return table;
}

const reference = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/g;

/** `text` with its character references resolved once: what a reference yields is not looked at again. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(reference, (written, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return (table ?? readTable()).get(name) ?? written;
    return toCharacter(decimal === undefined ? parseInt(hex ?? '', 16) : parseInt(decimal, 10));
  });
}

function toCharacter(code: number): string {
  const isNone = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
  return isNone ? '\ufffd' : String.fromCodePoint(code);
}
