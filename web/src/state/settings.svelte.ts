// Settings of this browser, in local storage.

export type Theme = 'system' | 'light' | 'dark'
/** How fast events are shown: `wait` continues with a button, `instant` shows only the result. */
export type Speed = 'slow' | 'normal' | 'fast' | 'wait' | 'instant'
/** When the board shows what follows from the cards: never, when it is the viewer's turn, always. */
export type Evidence = 'none' | 'mine' | 'all'
export type Level = 'random' | 'easy' | 'medium' | 'hard' | 'expert'

/** What was chosen last for "Play now": how many players, whether the seat with a role of its own is taken, whether the
 *  game is rated. */
export interface PlayNowChoice {
  seats?: number | null
  first?: boolean | null
  rated?: boolean
  /** Options of the game, such as playing without icons; those that are left out have their defaults. */
  options?: Readonly<Record<string, boolean | number | null>>
}

export interface Settings {
  theme: Theme
  language: string | null
  /** The level of bots chosen last. */
  level: Level
  /** One tap plays; otherwise select, then confirm. */
  quick: boolean
  /** No sounds; without it they are heard after the first tap. */
  muted: boolean
  notebook: boolean
  evidence: Evidence
  notify: boolean
  /** The offer to be notified in slow games was answered. */
  askedToNotify: boolean
  speed: Speed
  /** The games, or `game/side`, whose first game has been introduced. */
  introduced: readonly string[]
  /** The games of which a lesson was played to its end. */
  learnt: readonly string[]
  /** The picture at this person's seat; null: the first letter of the name. */
  avatar: number | null
  /** The reaction that was chosen last. */
  reaction: string
  /** By game. */
  playNow: Readonly<Record<string, PlayNowChoice>>
  /** Single letters read the table out. */
  keys: boolean
  /** The field for typed moves is open. */
  command: boolean
  /** How many days in a row a daily deal was played is shown. */
  streak: boolean
}

const KEY = 'tavolino.settings'
const defaults: Settings = {
  theme: 'system',
  language: null,
  level: 'easy',
  quick: false,
  muted: false,
  notebook: false,
  evidence: 'all',
  notify: false,
  askedToNotify: false,
  speed: 'normal',
  introduced: [],
  learnt: [],
  avatar: null,
  reaction: '',
  playNow: {},
  keys: true,
  command: false,
  streak: true,
}

function read(): Settings {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return { ...defaults, ...(kept as Partial<Settings>) }
  } catch {
    return { ...defaults } // Storage may be closed (private windows) or hold something else: start afresh.
  }
}

export const settings = $state<Settings>(read())

export function change<Name extends keyof Settings>(name: Name, value: Settings[Name]): void {
  settings[name] = value
  try {
    localStorage.setItem(KEY, JSON.stringify(settings))
  } catch {
    // Then the setting lasts until the page is closed.
  }
  if (name === 'theme') showTheme()
}

/** Whether a game of this title was introduced in this browser, of any side. */
export function hasPlayed(game: string): boolean {
  return settings.introduced.some((one) => one.split('/')[0] === game)
}

export function showTheme(): void {
  const root = document.documentElement
  if (settings.theme === 'system') delete root.dataset.theme
  else root.dataset.theme = settings.theme
}
