// Texts about one table for one viewer: events as sentences, actions as labels, with names for the seats.
// The choice among the variants of an event is the same as the terminal's (engine/texts.py).

import type { Description, Line, Problem, Prompt } from '../api/protocol'
import { KnownActions } from './actions'
import { formatList, has, i18n, message, t } from './language.svelte'
import { parameterNames } from './messages'
import { readable } from './readable'

/** Describes an action that a drawing names although it is not legal. */
type DescribeAction = (action: string) => Description | null

/** Kinds of words in a game's catalogue that a value of its view can name. */
const KINDS = ['card', 'location', 'token', 'colour', 'role', 'icon', 'deck', 'tile', 'value']

export class Sentences {
  constructor(
    readonly game: string,
    readonly names: readonly string[],
    readonly viewer: number | null,
    readonly actions: KnownActions = new KnownActions(),
    private readonly describeAction: DescribeAction = () => null,
  ) {}

  private version: object | null = null
  private events = new WeakMap<Line, string>()

  private readonly lookup = (key: string): string | undefined => {
    if (/^seat\.\d+$/.test(key)) return this.seat(Number(key.slice(5)))
    for (const full of [`${this.game}.${key}`, `common.${key}`]) if (has(full)) return t(full, {}, this.lookup)
    return undefined
  }

  /** The text of the game's catalogue, or of the one that all games share; '' where neither has it. */
  text(key: string, parameters: Record<string, unknown> = {}): string {
    const full = [`${this.game}.${key}`, `common.${key}`].find(has)
    return full === undefined ? '' : t(full, parameters, this.lookup)
  }

  has(key: string): boolean {
    return has(`${this.game}.${key}`)
  }

  card(id: string): string {
    return this.text(`card.${id}`) || this.text(`location.${id}`)
  }

  /** The word for a value of a view; without one in the catalogue the value itself, made readable. */
  word(value: string): string {
    return this.knownWord(value) ?? readable(value)
  }

  private knownWord(value: string): string | undefined {
    const kind = KINDS.find((one) => this.has(`${one}.${value}`))
    return kind && this.text(`${kind}.${value}`)
  }

  /** The name of a field of a view. A key may also be a thing that is counted, such as a colour. */
  field(key: string): string {
    if (this.has(`field.${key}`)) return this.text(`field.${key}`)
    return this.knownWord(key) ?? (has(`field.${key}`) ? t(`field.${key}`) : readable(key))
  }

  seat(seat: number): string {
    return this.names[seat] ?? t('common.seat', { n: seat + 1 })
  }

  /** Made once for each line, until the texts change: the log, the ticker and the announcer have the same sentences. */
  event(line: Line): string {
    if (this.version !== i18n.version) {
      this.version = i18n.version
      this.events = new WeakMap()
    }
    const known = this.events.get(line)
    if (known !== undefined) return known
    const text = this.sentence(line) || this.plainEvent(line)
    this.events.set(line, text)
    return text
  }

  /** Variants of a kind: by the event's `how`, and by the reader. */
  private sentence(line: Line): string {
    let key = `event.${line.kind}`
    if (this.has(`${key}.${String(line.how)}`)) key = `${key}.${String(line.how)}`
    for (const suffix of [...this.readers(line), '']) {
      if (!this.has(key + suffix)) continue
      if (suffix !== '.open' || this.hasAllOf(line, key + suffix)) return this.text(key + suffix, line)
    }
    return ''
  }

  /** `.you`: the reader acted or is among the winners; `.me`: the reader is the target; `.self`: the actor is the target
   *  (`.you.self`: the reader is both); `.open`: the reader sees all cards. */
  private readers(line: Line): string[] {
    const readers = []
    if (this.viewer === null) readers.push('.open')
    else if (line.seat === this.viewer && line.target === this.viewer) readers.push('.you.self', '.you')
    else if (line.seat === this.viewer || (Array.isArray(line.winners) && line.winners.includes(this.viewer)))
      readers.push('.you')
    if (typeof line.seat === 'number' && line.seat === line.target) readers.push('.self')
    if (this.viewer !== null && line.target === this.viewer) readers.push('.me')
    return readers
  }

  /** Whether the event has everything that the sentence names: a spectator of a running game has not. */
  private hasAllOf(line: Line, key: string): boolean {
    return parameterNames(message(`${this.game}.${key}`)).every(
      (name) => line[name] !== null && line[name] !== undefined,
    )
  }

  /** An event of a kind without a text: the kind, and what is known about it. */
  private plainEvent(line: Line): string {
    const { kind, seat, secret: _, ...rest } = line
    const details = Object.entries(rest).map(([key, value]) => `${readable(key)}: ${this.plainValue(value)}`)
    const who = typeof seat === 'number' ? `${this.seat(seat)}: ` : ''
    return `${who}${readable(kind)}${details.length ? ` (${details.join(', ')})` : ''}.`
  }

  private plainValue(value: unknown): string {
    if (Array.isArray(value)) return value.length ? formatList(value.map((item) => this.plainValue(item))) : '–'
    if (typeof value === 'string') return this.word(value)
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (typeof value === 'object' && value !== null)
      return formatList(Object.entries(value).map(([key, item]) => `${this.word(key)} ${this.plainValue(item)}`))
    return typeof value === 'number' ? String(value) : '–'
  }

  /** The question, for the viewer who is asked, for the seat it is about, or for the others. */
  prompt(prompt: Prompt | null): string {
    if (!prompt) return ''
    const isAsked = this.viewer !== null && prompt.seat === this.viewer
    const isAbout = !isAsked && this.viewer !== null && prompt.target === this.viewer
    const key = `prompt.${prompt.key}`
    const variant = isAsked ? '' : isAbout && this.has(`${key}.me`) ? '.me' : '.other'
    const text = this.text(key + variant, prompt)
    if (text) return text
    return typeof prompt.seat === 'number'
      ? t(isAsked ? 'question.yours' : 'question.other', { name: this.seat(prompt.seat), what: readable(prompt.key) })
      : readable(prompt.key)
  }

  /** The label of an action: the text of its verb with its parameters; `.self` if its target is the reader. */
  action(text: string): string {
    const { verb, params } = this.describe(text)
    const isOwn = this.viewer !== null && params.target === this.viewer && this.has(`action.${verb}.self`)
    return this.text(`action.${verb}${isOwn ? '.self' : ''}`, params) || this.plainAction(text)
  }

  /** The possible outcome of an action; '' if the game has no text for it. */
  explanation(text: string): string {
    const { verb, params } = this.describe(text)
    return this.has(`explain.${verb}`) ? this.text(`explain.${verb}`, params) : ''
  }

  private describe(text: string): Description {
    return this.actions.of(text) ?? this.describeAction(text) ?? { verb: '', params: {} }
  }

  private plainAction(text: string): string {
    const [verb = '', ...words] = text.split(' ')
    return [readable(verb), ...words.map((word) => this.word(word))].join(' ')
  }

  /** Who has won, and why. */
  outcome(reason: string | null, winners: readonly number[]): string {
    if (reason === null) return ''
    const isOwn = this.viewer !== null && winners.includes(this.viewer)
    const verdict = this.text(`verdict${winners.length ? (isOwn ? '.you' : '') : '.nobody'}`, { winners })
    return `${verdict} ${this.reason(reason, winners)}`.trim()
  }

  /** Why the game is over; winners may read another sentence than the rest. */
  reason(reason: string, winners: readonly number[]): string {
    const key = `outcome.${reason}`
    const isOwn = this.viewer !== null && winners.includes(this.viewer) && this.has(`${key}.you`)
    return this.text(isOwn ? `${key}.you` : key, { winners })
  }

  refusal(problem: Problem): string {
    for (const key of [problem.key, `${this.game}.${problem.key}`, `server.${problem.key}`, `common.${problem.key}`]) {
      if (has(key)) return t(key, problem.params, this.lookup)
    }
    return t('problem.unknown')
  }
}
