// Messages of the catalogues: a small part of ICU's message format.
//
//   {name}                                     a parameter as it is
//   {card, card}                               a parameter that is a word of the catalogue: key card.<value>
//   {seat, seat}                               the name of whoever sits there
//   {n, plural, one {# card} other {# cards}}  the form that the language's plural rules choose; `=0 {...}` for an exact number
//   {x, select, a {...} other {...}}           the form that the parameter names
//
// A parameter that is a list reads as "a, b and c". The word is list.and, or list.and.e before a word that begins with e
// (Italian has "ed" there); any letter can have one. The terminal reads the same notation (engine/messages.py).

export type Parameters = Record<string, unknown>
/** Finds words of a catalogue (`card.thor`, `seat.2`, `list.and`); undefined where there is none. */
export type Lookup = (key: string) => string | undefined

type Part =
  | { kind: 'text'; text: string }
  | { kind: 'parameter'; name: string; form: string }
  | { kind: 'count' }
  | { kind: 'choice'; by: 'plural' | 'select'; name: string; forms: Map<string, Part[]> }

class Reader {
  private at = 0
  constructor(private readonly source: string) {}

  parts(insidePlural: boolean, nested: boolean): Part[] {
    const parts: Part[] = []
    let text = ''
    const flush = () => {
      if (text) parts.push({ kind: 'text', text })
      text = ''
    }
    while (this.at < this.source.length) {
      const character = this.source[this.at]
      if (character === '}') {
        if (!nested) throw new SyntaxError(`unexpected } in message: ${this.source}`)
        break
      }
      this.at += 1
      if (character === '{') {
        flush()
        parts.push(this.argument(insidePlural))
      } else if (character === '#' && insidePlural) {
        flush()
        parts.push({ kind: 'count' })
      } else {
        text += character
      }
    }
    flush()
    return parts
  }

  private argument(insidePlural: boolean): Part {
    const name = this.word()
    if (this.take('}')) return { kind: 'parameter', name, form: '' }
    this.expect(',')
    const by = this.word()
    if (by !== 'plural' && by !== 'select') {
      this.expect('}')
      return { kind: 'parameter', name, form: by }
    }
    this.expect(',')
    const forms = new Map<string, Part[]>()
    while (!this.take('}')) {
      const form = this.word()
      this.expect('{')
      forms.set(form, this.parts(by === 'plural' || insidePlural, true))
      this.expect('}')
    }
    if (!forms.has('other')) throw new SyntaxError(`no form "other" in message: ${this.source}`)
    return { kind: 'choice', by, name, forms }
  }

  private word(): string {
    this.skipSpace()
    const word = /^[^\s{},]+/.exec(this.source.slice(this.at))?.[0]
    if (!word) throw new SyntaxError(`a word is missing at ${this.at} in message: ${this.source}`)
    this.at += word.length
    return word
  }

  private take(character: string): boolean {
    this.skipSpace()
    if (this.source[this.at] !== character) return false
    this.at += 1
    return true
  }

  private expect(character: string): void {
    if (!this.take(character))
      throw new SyntaxError(`"${character}" is missing at ${this.at} in message: ${this.source}`)
  }

  private skipSpace(): void {
    while (/\s/.test(this.source[this.at] ?? '')) this.at += 1
  }
}

const parsed = new Map<string, Part[]>()

function partsOf(message: string): Part[] {
  let parts = parsed.get(message)
  if (!parts) {
    parts = new Reader(message).parts(false, false)
    parsed.set(message, parts)
  }
  return parts
}

const rules = new Map<string, Intl.PluralRules>()
/** By language and number: the same few numbers are asked for again and again, and the browser's rules are slow. */
const forms = new Map<string, string>()
const numbers = new Map<string, Intl.NumberFormat>()

function pluralForm(language: string, count: number): string {
  const key = `${language} ${count}`
  const known = forms.get(key)
  if (known) return known
  let rule = rules.get(language)
  if (!rule) rules.set(language, (rule = new Intl.PluralRules(language)))
  const form = rule.select(count)
  forms.set(key, form)
  return form
}

function inLanguage(language: string, value: unknown): string {
  if (typeof value !== 'number') return value === null || value === undefined ? '' : String(value)
  // Small whole numbers read the same in all our languages; the browser's tables of numbers take long to load.
  if (Number.isInteger(value) && Math.abs(value) < 1000) return String(value)
  let format = numbers.get(language)
  if (!format) numbers.set(language, (format = new Intl.NumberFormat(language)))
  return format.format(value)
}

interface Tongue {
  language: string
  parameters: Parameters
  lookup: Lookup
}

function word(form: string, value: unknown, { language, lookup }: Tongue): string {
  return (form && lookup(`${form}.${String(value)}`)) || inLanguage(language, value)
}

function parameter(form: string, value: unknown, tongue: Tongue): string {
  if (!Array.isArray(value)) return word(form, value, tongue)
  const words = value.map((item) => word(form, item, tongue))
  if (words.length < 2) return words.join('')
  const last = words.at(-1)!
  const and = tongue.lookup(`list.and.${last.charAt(0).toLowerCase()}`) ?? tongue.lookup('list.and') ?? '&'
  return `${words.slice(0, -1).join(', ')} ${and} ${last}`
}

function write(parts: Part[], tongue: Tongue, count: number | null): string {
  let out = ''
  for (const part of parts) {
    // A name can end with a full stop, which then also ends the sentence.
    if (part.kind === 'text') out += part.text.startsWith('.') && out.endsWith('.') ? part.text.slice(1) : part.text
    else if (part.kind === 'count') out += count === null ? '#' : inLanguage(tongue.language, count)
    else if (part.kind === 'parameter') out += parameter(part.form, tongue.parameters[part.name], tongue)
    else if (part.by === 'select') {
      out += write(part.forms.get(String(tongue.parameters[part.name])) ?? part.forms.get('other')!, tongue, count)
    } else {
      const value = tongue.parameters[part.name]
      const n = Array.isArray(value) ? value.length : Number(value ?? 0)
      const form = part.forms.get(`=${n}`) ?? part.forms.get(pluralForm(tongue.language, n)) ?? part.forms.get('other')!
      out += write(form, tongue, n)
    }
  }
  return out
}

/** The message in words, its parameters filled in. */
export function format(
  message: string,
  language: string,
  parameters: Parameters = {},
  lookup: Lookup = () => undefined,
): string {
  return write(partsOf(message), { language, parameters, lookup }, null)
}

/** The names of a message's parameters, each once, sorted: for the test that the three languages agree. */
export function parameterNames(message: string): string[] {
  const names = new Set<string>()
  const walk = (parts: Part[]) => {
    for (const part of parts) {
      if (part.kind === 'parameter') names.add(part.name)
      if (part.kind === 'choice') {
        names.add(part.name)
        for (const form of part.forms.values()) walk(form)
      }
    }
  }
  walk(partsOf(message))
  return [...names].sort()
}

/** The plural forms that each plural of a message names: for the test of the languages' plural rules. */
export function pluralForms(message: string): string[][] {
  const found: string[][] = []
  const walk = (parts: Part[]) => {
    for (const part of parts) {
      if (part.kind !== 'choice') continue
      if (part.by === 'plural') found.push([...part.forms.keys()])
      for (const form of part.forms.values()) walk(form)
    }
  }
  walk(partsOf(message))
  return found
}
