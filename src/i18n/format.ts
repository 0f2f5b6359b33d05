/**
 * Numbers, sizes, durations and dates in a language, through `Intl` only. One `Format` a language; the formatters are
 * made when first used, since making one costs more than using it a hundred times.
 */

const KILO = 1000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export class Format {
  readonly lang: string;
  readonly #made = new Map<string, unknown>();

  constructor(lang: string) {
    this.lang = lang;
  }

  number(value: number): string {
    return this.#get('number', () => new Intl.NumberFormat(this.lang)).format(value);
  }

  /** A share of one: `55 %`. */
  percent(share: number): string {
    return this.#get('percent', () => new Intl.NumberFormat(this.lang, { style: 'percent' })).format(share);
  }

  /** `byteSize` in decimal units with at most one digit after the point: `1.2 MB`. */
  bytes(byteSize: number): string {
    const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
    let power = 0;
    while (byteSize >= KILO && power < units.length - 1) {
      byteSize /= KILO;
      power += 1;
    }
    return this.#unit(units[power]!, byteSize, 'short');
  }

  /** A length of time in its two largest units: `0.4s`, `12s`, `1m 5s`, `2h 3m`. */
  duration(durationMs: number): string {
    const seconds = Math.max(0, durationMs) / 1000;
    if (seconds < 10) return this.#unit('second', Math.round(seconds * 10) / 10, 'narrow');
    const whole = Math.round(seconds);
    if (whole < MINUTE) return this.#unit('second', whole, 'narrow');
    const [large, small] = whole < HOUR ? (['minute', 'second'] as const) : (['hour', 'minute'] as const);
    const size = large === 'minute' ? MINUTE : HOUR;
    const rest = Math.floor((whole % size) / (size / 60));
    const head = this.#unit(large, Math.floor(whole / size), 'narrow');
    return rest === 0 ? head : `${head} ${this.#unit(small, rest, 'narrow')}`;
  }

  /** Relative up to a day, then the date; both in milliseconds since the epoch. */
  ago(time: number, now: number): string {
    const seconds = Math.round((time - now) / 1000);
    const size = Math.abs(seconds);
    if (size >= DAY)
      return this.#get('date', () => new Intl.DateTimeFormat(this.lang, { dateStyle: 'medium' })).format(time);
    const relative = this.#get(
      'ago',
      () => new Intl.RelativeTimeFormat(this.lang, { style: 'narrow', numeric: 'auto' }),
    );
    if (size < MINUTE) return relative.format(0, 'second');
    if (size < HOUR) return relative.format(Math.trunc(seconds / MINUTE), 'minute');
    return relative.format(Math.trunc(seconds / HOUR), 'hour');
  }

  /** The exact date and time, for a tooltip. */
  exact(time: number): string {
    const options = { dateStyle: 'medium', timeStyle: 'medium' } as const;
    return this.#get('exact', () => new Intl.DateTimeFormat(this.lang, options)).format(time);
  }

  /** `a, b and c` in the language's way. */
  list(items: readonly string[]): string {
    return this.#get('list', () => new Intl.ListFormat(this.lang, { type: 'conjunction' })).format(items);
  }

  #unit(unit: string, value: number, unitDisplay: 'short' | 'narrow'): string {
    const options = { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 } as const;
    return this.#get(`${unit} ${unitDisplay}`, () => new Intl.NumberFormat(this.lang, options)).format(value);
  }

  #get<F>(name: string, make: () => F): F {
    const found = this.#made.get(name) as F | undefined;
    if (found) return found;
    const made = make();
    this.#made.set(name, made);
    return made;
  }
}

type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** Words a count: the form the language asks for, with `#` replaced by the number. */
export function plural(lang: string, forms: PluralForms): (count: number) => string {
  let rules: Intl.PluralRules | undefined;
  let number: Intl.NumberFormat | undefined;
  return (count) => {
    rules ??= new Intl.PluralRules(lang);
    number ??= new Intl.NumberFormat(lang);
    return (forms[rules.select(count)] ?? forms.other).replace('#', number.format(count));
  };
}
