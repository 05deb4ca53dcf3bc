// What the page can be heard doing, by name.

export type SoundName =
  'flip' | 'match' | 'theft' | 'hit' | 'token' | 'stone' | 'snap' | 'turn' | 'message' | 'win' | 'loss'
