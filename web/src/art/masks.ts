// The characters are theatre masks, put together from one kit of shapes: `head colour / top / eyes / marks`.
// Nothing here is traced from anybody's pictures; Mask.svelte draws the kit.

export const inks: Record<string, string> = {
  ink: '#1f2536', white: '#fdf6e6', cream: '#f0dfbb', red: '#d5402f', blood: '#9c2a24', blue: '#3579c6', navy: '#2c4379', sky: '#8fc3e8',
  yellow: '#f2bf2b', gold: '#d9a22e', orange: '#ee8a2c', green: '#4aa352', moss: '#5f7a3a', lime: '#a5cf58', teal: '#2f9c9c',
  purple: '#8453ad', plum: '#5c3a7d', pink: '#f193b8', grey: '#98a1b0', steel: '#c5cbd6', slate: '#5d6780', brown: '#8a5a3b',
  bark: '#6b452c', sand: '#d8b57c', light: '#f1cda6', tan: '#d99f6c', dark: '#8b5a3c', ginger: '#c65a2a', blond: '#eac35c',
}

export type Head = 'oval' | 'square' | 'heart' | 'wide' | 'long' | 'skull' | 'hex'

export interface Mask {
  head: Head
  face: string
  /** Hair, helmet and the like, each with its colour. */
  tops: [string, string][]
  eyes: [string, string]
  marks: [string, string][]
}

const kit: Record<string, string> = {
  // Infinity Gauntlet, some of them in Splendor too.
  'nebula': 'oval blue / - / glow:ink / half:steel line',
  'spider-man': 'oval red / - / big / web',
  'star-lord': 'square grey / short:brown / goggles:red / jaw:slate',
  'black-widow': 'heart light / long:ginger / almond / lips',
  'gamora': 'heart green / long:plum / almond / chevrons:steel lips',
  'ant-man-and-wasp': 'hex red / antennae:ink / goggles:yellow / split:yellow jaw:steel',
  'captain-america': 'square blue / cap:blue / almond / chin:light star:white line',
  'hulk': 'wide green / short:ink / angry / teeth',
  'thor': 'square light / long:blond wings:steel / almond / beard:blond',
  'black-panther': 'heart ink / ears:ink / glow:white / chevrons:steel line:steel',
  'falcon': 'oval dark / short:ink / goggles:red / goatee:ink',
  'doctor-strange': 'long light / short:ink collar:red / almond / goatee:ink streaks:grey',
  'scarlet-witch': 'heart light / long:ginger crown:red / glow:red / lips',
  'vision': 'oval red / collar:green / dots / gem:yellow line seams:gold',
  'captain-marvel': 'heart light / long:blond / almond / star:gold lips',
  'iron-man': 'square red / helm:red / slits:white / jaw:gold',
  'outrider': 'skull slate / spikes:ink / angry:red / fangs',
  'corvus-glaive': 'long steel / hood:ink / angry:orange / line',
  'black-dwarf': 'wide moss / spikes:bark / angry:yellow / teeth',
  'proxima-midnight': 'heart navy / horns:ink / glow:white / line:white',
  'ebony-maw': 'long cream / - / slits:ink / wrinkles line',
  'thanos': 'wide purple / helm:gold / angry / chinlines',
  // Splendor: Marvel, level 1.
  'baron-zemo': 'oval purple / crown:gold / slits:white / seams:plum',
  'rocket': 'heart brown / ears:bark / domino:ink / snout',
  'grandmaster': 'long light / mohawk:white / almond / line:blue gem:blue',
  'm-o-d-o-k': 'wide cream / headband:gold / angry / teeth',
  'prowler': 'hex plum / hood:green / slits:white / jaw:ink',
  'spider-woman': 'heart red / long:ink / glow:yellow / chin:light lips',
  'squirrel-girl': 'oval light / bob:ginger ears:brown / dots / smile cheeks:pink',
  'vulture': 'long lime / wings:moss / angry / wrinkles',
  'moon-knight': 'oval white / hood:white / glow:ink / moon:gold',
  'spider-man-2099': 'oval navy / - / big:red / skullmark:red',
  'elektra': 'heart light / long:ink headband:red / almond / lips',
  'lockjaw': 'wide brown / antennae:gold / dots / snout jowls',
  'bullseye': 'square ink / - / slits:white / target:white',
  'valkyrie': 'oval dark / wings:steel braids:ink / almond / lips',
  'wasp': 'heart light / bob:ginger antennae:ink / almond / lips',
  'taskmaster': 'skull white / hood:orange / angry:red / teeth',
  'electro': 'oval green / rays:yellow / glow:white / teeth',
  'mysterio': 'oval sky / collar:purple / closed / swirl:white',
  'crystal': 'heart light / long:ginger headband:ink / almond / lips',
  'triton': 'oval teal / fin:moss / wide / gills',
  'ms-marvel': 'heart tan / long:bark / dominoblue:navy / smile',
  'quake': 'heart light / bob:ink / almond / cracks:slate',
  'wong': 'wide tan / - / closed / line brows',
  'sandman': 'square sand / short:brown / dots / spots:brown line',
  'kingpin': 'wide light / collar:white / angry / line',
  'silver-sable': 'heart light / long:steel / domino:steel / lips',
  'spider-ham': 'wide red / ears:pink / big / web snout',
  'spider-girl': 'heart red / - / big / web split:ink',
  'hawkeye': 'square light / short:blond / goggles:purple / line',
  'kate-bishop': 'heart light / long:ink / domino:purple / smile',
  'scarlet-spider': 'oval red / hood:blue / big / -',
  'yondu': 'oval blue / fin:red / glow:white / teeth',
  'kraven': 'square light / long:bark / almond / mustache:bark mane',
  'lizard': 'long green / spikes:moss / wide:yellow / fangs',
  'gorgon': 'square dark / horns:sand / almond / beard:ink',
  'rhino': 'wide grey / hornfront:steel / angry / line',
  'abomination': 'wide moss / fin:lime / angry:yellow / teeth',
  'america-chavez': 'heart tan / long:ink / almond / star:white lips',
  'winter-soldier': 'square light / long:bark / almond / jaw:ink',
  'scorpion': 'oval lime / stinger:green / glow:white / line',
  // Level 2.
  'maria-hill': 'heart light / bob:ink / almond / line',
  'shuri': 'heart dark / bun:ink / almond / smile dotsmark:white',
  'the-collector': 'oval light / mohawk:white collar:red / almond / streaks:ink line',
  'maximus': 'long light / crown:slate short:ink / angry / goatee:ink',
  'karnak': 'oval light / hood:green / slits:white / chin:light line',
  'red-skull': 'skull red / collar:ink / angry / teeth nosehole',
  'war-machine': 'square slate / helm:grey / slits:red / jaw:steel',
  'quicksilver': 'oval light / rays:steel / almond / smile',
  'miles-morales': 'oval ink / - / big:white / web:red',
  'ghost-spider': 'oval white / hood:white / big:pink / -',
  'black-cat': 'heart light / long:white ears:ink / domino:ink / lips',
  'beta-ray-bill': 'long ginger / wings:steel / dots / snout teeth',
  'venom': 'oval ink / - / big / fangs tongue',
  'ghost-rider': 'skull white / flame:orange / glow:orange / teeth nosehole',
  'medusa': 'heart light / mane:ginger / almond / lips',
  'hela': 'heart light / horns:ink hood:ink / glow:green / lips',
  'nick-fury': 'square dark / - / patch / goatee:ink',
  'punisher': 'square light / short:ink / angry / scar line skullmark:white',
  'groot': 'long brown / spikes:moss / dots / spots:bark smile',
  'daredevil': 'oval blood / hornssmall:blood / glow:red / chin:light line',
  'she-hulk': 'heart green / long:moss / almond / lips',
  'okoye': 'heart dark / - / almond / lips dotsmark:gold chevrons:gold',
  'ronan': 'square navy / hood:slate / angry / jaw:ink',
  'crossbones': 'square ink / - / glow:white / crossmark:white',
  'carnage': 'oval red / - / big:white / fangs seams:ink',
  'jessica-jones': 'heart light / long:ink / almond / line scar',
  // Level 3.
  'doctor-octopus': 'wide light / bowl:brown arms:steel / goggles:ink / line',
  'green-goblin': 'heart lime / hat:purple / angry:yellow / grin',
  'iron-fist': 'oval light / headband:yellow / domino:yellow / line',
  'ant-man': 'hex red / antennae:ink / goggles:sky / jaw:steel',
  'nova': 'square gold / helm:gold / slits:blue / star:red chin:light',
  'loki': 'long light / horns:gold / almond / grin',
  'black-bolt': 'oval ink / fork:steel / glow:sky / chin:light line',
  'drax': 'square teal / - / almond / streaks:red line',
  'luke-cage': 'square dark / headband:steel / almond / goatee:ink',
}

function pairs(words: string): [string, string][] {
  return words
    .split(' ')
    .filter((word) => word !== '-' && word !== '')
    .map((word) => {
      const [name = '', colour = 'ink'] = word.split(':')
      return [name, inks[colour] ?? colour]
    })
}

export function maskOf(id: string): Mask {
  const words = kit[id] ?? 'oval steel / - / dots / line'
  const [base = '', tops = '', eyes = '', marks = ''] = words.split('/').map((part) => part.trim())
  const [head, face = 'steel'] = base.split(' ')
  return {
    head: head as Head,
    face: inks[face] ?? face,
    tops: pairs(tops),
    eyes: pairs(eyes)[0] ?? ['dots', inks.ink!],
    marks: pairs(marks),
  }
}

export const maskNames: readonly string[] = Object.keys(kit)
