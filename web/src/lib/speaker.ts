// Says things about one table to one viewer: events as sentences, actions as labels, with names for the seats.
// The choice among the variants of an event is the terminal's too (engine/texts.py).

import { has, t } from './language.svelte'
import type { Line, Problem, Prompt } from './protocol'

export class Speaker {
  constructor(
    readonly game: string,
    readonly names: readonly string[],
    readonly viewer: number | null,
  ) {}

  private readonly lookup = (key: string): string | undefined => {
    if (/^seat\.\d+$/.test(key)) {
      const seat = Number(key.slice(5))
      return this.names[seat] ?? t('common.seat', { n: seat + 1 })
    }
    for (const full of [`${this.game}.${key}`, `common.${key}`]) if (has(full)) return t(full, {}, this.lookup)
    return undefined
  }

  /** The sentence for a key of the game's catalogue, or of what all games share. */
  say(key: string, parameters: Record<string, unknown> = {}): string {
    const full = [`${this.game}.${key}`, `common.${key}`].find(has)
    return full === undefined ? '' : t(full, parameters, this.lookup)
  }

  knows(key: string): boolean {
    return has(`${this.game}.${key}`)
  }

  card(id: string): string {
    return this.say(`card.${id}`) || this.say(`location.${id}`)
  }

  seat(seat: number): string {
    return this.names[seat] ?? t('common.seat', { n: seat + 1 })
  }

  /** What you do to yourself is done to "yourself", not to somebody of your name. */
  private reflexive(): Speaker {
    const names = this.names.map((name, seat) => (seat === this.viewer ? t('seat.yourself') : name))
    return new Speaker(this.game, names, this.viewer)
  }

  tell(line: Line): string {
    const isOwn = this.viewer !== null && line.seat === this.viewer
    return (isOwn ? this.reflexive() : this).sentence(line)
  }

  /** A kind has variants: by the event's `how`, and by who reads (`.you`: the deed is yours, `.me`: done to you). */
  private sentence(line: Line): string {
    let key = `event.${line.kind}`
    if (this.knows(`${key}.${String(line.how)}`)) key = `${key}.${String(line.how)}`
    const readers = []
    if (this.viewer !== null && line.seat === this.viewer) readers.push('.you')
    if (this.viewer !== null && line.target === this.viewer) readers.push('.me')
    for (const suffix of [...readers, '']) if (this.knows(key + suffix)) return this.say(key + suffix, line)
    return ''
  }

  /** The question as it is put to this viewer, or as the others hear it. */
  ask(prompt: Prompt | null): string {
    if (!prompt) return ''
    const key = `prompt.${prompt.key}`
    return this.viewer !== null && prompt.seat === this.viewer
      ? this.say(key, prompt)
      : this.say(`${key}.other`, prompt)
  }

  /** The label of an action: its verb's message, with what stands after the verb as parameters. */
  action(text: string): string {
    const [verb = '', ...words] = text.split(' ')
    const [first] = words
    const number = first !== undefined && /^\d$/.test(first) ? Number(first) : first
    let key = `action.${verb}`
    if (first?.startsWith('level-')) key += '-blind'
    else if (words.length === 2 && first === words[1]) key += '-two'
    const parameters = {
      card: first,
      cards: words,
      colour: first,
      colours: words,
      token: first,
      location: first,
      seat: number,
      target: number,
      number,
      n: number,
      level: first?.replace('level-', ''),
    }
    return this.reflexive().say(key, parameters) || text
  }

  refusal(problem: Problem): string {
    for (const key of [problem.key, `${this.game}.${problem.key}`, `server.${problem.key}`, `common.${problem.key}`]) {
      if (has(key)) return t(key, problem.params, this.lookup)
    }
    return t('problem.unknown')
  }
}
