/** How many base units one unit holds. Volumes are in millilitres, weights in grams, counts in pieces. */
const UNITS = {
  millilitre: { kind: 'volume', size: 1 },
  litre: { kind: 'volume', size: 1000 },
  teaspoon: { kind: 'volume', size: 4 },
  tablespoon: { kind: 'volume', size: 15 },
  cup: { kind: 'volume', size: 240 },
  gram: { kind: 'weight', size: 1 },
  kilogram: { kind: 'weight', size: 1000 },
  piece: { kind: 'count', size: 1 },
};

const SHORT = {
  ml: 'millilitre',
  l: 'litre',
  tsp: 'teaspoon',
  tbsp: 'tablespoon',
  g: 'gram',
  kg: 'kilogram',
  pc: 'piece',
};

/** Finds a unit by its name, its plural or its short form. */
export function findUnit(name) {
  const word = name.trim().toLowerCase();
  const full = SHORT[word] ?? word.replace(/s$/, '');
  return UNITS[full] ? { name: full, ...UNITS[full] } : undefined;
}

/** Brings an amount to its base unit. Throws when the unit is unknown. */
export function toBase(amount, unitName) {
  const unit = findUnit(unitName);
  if (!unit) throw new Error(`Unknown unit "${unitName}".`);
  return { amount: amount * unit.size, kind: unit.kind };
}

/** Converts between two units of the same kind. */
export function convert(amount, from, to) {
  const base = toBase(amount, from);
  const target = findUnit(to);
  if (!target || target.kind !== base.kind) throw new Error(`Cannot convert ${from} to ${to}.`);
  return base.amount / target.size;
}

/** Writes a base amount for people: 1500 g becomes 1.5 kg. */
export function format(amount, kind) {
  const [small, large] = kind === 'volume' ? ['ml', 'l'] : kind === 'weight' ? ['g', 'kg'] : ['', ''];
  if (large && amount >= 1000) return `${trim(amount / 1000)} ${large}`;
  return `${trim(amount)} ${small}`.trim();
}

const trim = (value) => String(Math.round(value * 100) / 100);
