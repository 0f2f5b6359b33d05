/** The same Markdown in every run: an answer as models write them, and blocks that never end. No chance but a seeded one. */

export type Giant = 'fence' | 'list' | 'table' | 'paragraph';

/** Numbers from 0 to below 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

const words = (
  'agent buffer cache channel chunk client commit context cursor delta deploy draft editor event file frame handler host ' +
  'index input item job layout list lock log merge module node offset option output packet page parser patch path port ' +
  'process query queue range reader record reducer region render request result retry route sample schema scope server ' +
  'session signal slice socket source state step store stream string style table task test token tool trace tree turn ' +
  'update user value view watch window worker write quickly slowly always never often the a this that when because before ' +
  'after under over into from with without between'
).split(' ');

class Writer {
  readonly random: () => number;

  constructor(seed: number) {
    this.random = createRandom(seed);
  }

  pick = <T>(from: readonly T[]): T => from[Math.floor(this.random() * from.length)] as T;

  word = (): string => this.pick(words);

  words = (count: number): string => Array.from({ length: count }, this.word).join(' ');

  phrase(): string {
    const kind = this.random();
    if (kind < 0.1) return `**${this.words(2)}**`;
    if (kind < 0.16) return `*${this.words(2)}*`;
    if (kind < 0.3) return `\`${this.word()}.${this.word()}()\``;
    if (kind < 0.36) return `[${this.words(2)}](https://example.com/${this.word()}/${this.word()}?q=${this.word()})`;
    if (kind < 0.38) return `~~${this.word()}~~`;
    return this.words(3);
  }

  sentence(): string {
    const start = this.words(2);
    const phrases = Array.from({ length: 3 + Math.floor(this.random() * 4) }, () => this.phrase());
    return `${start.charAt(0).toUpperCase()}${start.slice(1)} ${phrases.join(' ')}.`;
  }

  paragraph = (sentences: number): string => Array.from({ length: sentences }, () => this.sentence()).join(' ');

  codeLine(index: number): string {
    const [a, b, c] = [this.word(), this.word(), this.word()];
    const count = Math.floor(this.random() * 1000);
    if (index % 6 === 0) return `export function ${a}${index}(${b}: string, n = ${count}): Map<string, number> {`;
    if (index % 6 === 5) return '}';
    return `  const ${a}_${index} = await ${b}.${c}({ id: ${count}, label: "${a} ${b}" }); // ${c}`;
  }

  fence(language: string, lines: number): string {
    const code = Array.from({ length: lines }, (_, i) => this.codeLine(i));
    return `\`\`\`${language}\n${code.join('\n')}\n\`\`\``;
  }

  row = (): string => `| ${this.phrase()} | ${this.words(2)} | \`${this.word()}\` |\n`;
}

/** The last words of every text, by which a page knows that it has shown all of it. */
export const END = 'END-OF-STREAM';

/** An answer of about `size` characters: headings, prose, nested lists, tasks, tables, code, quotes and links. */
export function createAnswer(size: number): string {
  const writer = new Writer(7);
  const count = Math.max(1, Math.round((12 * size) / 100_000));
  const sections = Array.from({ length: count }, (_, i) => createSection(writer, i, size / count));
  return `# ${writer.words(5)}\n\n${sections.join('\n\n')}\n\n${END}\n`;
}

function createSection(writer: Writer, index: number, size: number): string {
  const nested = (i: number) => `\n  - ${writer.sentence()}\n  - [${i % 4 === 1 ? 'x' : ' '}] ${writer.words(4)}`;
  const parts = [
    `## ${index + 1}. ${writer.words(4)}`,
    writer.paragraph(4),
    Array.from({ length: 6 }, (_, i) => `- ${writer.sentence()}${i % 2 ? nested(i) : ''}`).join('\n'),
    `### ${writer.words(3)}`,
    writer.paragraph(3),
    `| ${writer.word()} | ${writer.word()} | ${writer.word()} |\n|---|:--|--:|\n` +
      Array.from({ length: 10 }, writer.row).join('').trimEnd(),
    writer.fence('ts', 34),
    `> ${writer.paragraph(2)}\n>\n> ${writer.sentence()}`,
    Array.from({ length: 5 }, (_, i) => `${i + 1}. ${writer.sentence()}`).join('\n'),
  ];
  let section = parts.join('\n\n');
  while (section.length < size - 420) section += `\n\n${writer.paragraph(3)}`;
  return section;
}

/** One block of about `size` characters. */
export function createGiant(kind: Giant, size: number): string {
  const writer = new Writer(5);
  let text = kind === 'table' ? '| a | b | c |\n|---|---|---|\n' : '';
  if (kind === 'fence') text = writer.fence('ts', Math.round(size / 68));
  while (text.length < size) {
    if (kind === 'list') text += `- ${writer.sentence()}\n  - ${writer.sentence()}\n`;
    else if (kind === 'table') text += writer.row();
    else text += `${writer.sentence()} `;
  }
  return `${text.trimEnd()}\n\n${END}\n`;
}

/** `text` in exactly `count` pieces of uneven length. */
export function toDeltas(text: string, count: number): readonly string[] {
  const random = createRandom(11);
  const cuts = new Set<number>();
  while (cuts.size < count - 1) cuts.add(1 + Math.floor(random() * (text.length - 1)));
  const places = [0, ...[...cuts].sort((a, b) => a - b), text.length];
  return places.slice(1).map((end, i) => text.slice(places[i], end));
}
