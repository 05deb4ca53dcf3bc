// Generated from `GAME.parts` by `python -m tavolino.engine.typescript`. Do not edit.

import type { Card } from './view'

export const cards: Record<string, Card> = {
  "nebula": {"deck": "hero", "number": 1, "copies": 1, "stone": false},
  "spider-man": {"deck": "hero", "number": 1, "copies": 1, "stone": false},
  "star-lord": {"deck": "hero", "number": 1, "copies": 1, "stone": false},
  "black-widow": {"deck": "hero", "number": 2, "copies": 1, "stone": false},
  "gamora": {"deck": "hero", "number": 2, "copies": 1, "stone": false},
  "ant-man-and-wasp": {"deck": "hero", "number": 2, "copies": 1, "stone": false},
  "captain-america": {"deck": "hero", "number": 3, "copies": 1, "stone": false},
  "hulk": {"deck": "hero", "number": 3, "copies": 1, "stone": false},
  "thor": {"deck": "hero", "number": 3, "copies": 1, "stone": false},
  "black-panther": {"deck": "hero", "number": 4, "copies": 1, "stone": false},
  "falcon": {"deck": "hero", "number": 4, "copies": 1, "stone": false},
  "doctor-strange": {"deck": "hero", "number": 4, "copies": 1, "stone": false},
  "scarlet-witch": {"deck": "hero", "number": 5, "copies": 1, "stone": false},
  "vision": {"deck": "hero", "number": 5, "copies": 1, "stone": false},
  "captain-marvel": {"deck": "hero", "number": 6, "copies": 1, "stone": false},
  "iron-man": {"deck": "hero", "number": 6, "copies": 1, "stone": false},
  "outrider": {"deck": "thanos", "number": 1, "copies": 2, "stone": false},
  "mind-stone": {"deck": "thanos", "number": 1, "copies": 1, "stone": true},
  "corvus-glaive": {"deck": "thanos", "number": 2, "copies": 1, "stone": false},
  "soul-stone": {"deck": "thanos", "number": 2, "copies": 1, "stone": true},
  "black-dwarf": {"deck": "thanos", "number": 3, "copies": 1, "stone": false},
  "space-stone": {"deck": "thanos", "number": 3, "copies": 1, "stone": true},
  "proxima-midnight": {"deck": "thanos", "number": 4, "copies": 1, "stone": false},
  "power-stone": {"deck": "thanos", "number": 4, "copies": 1, "stone": true},
  "ebony-maw": {"deck": "thanos", "number": 5, "copies": 1, "stone": false},
  "reality-stone": {"deck": "thanos", "number": 5, "copies": 1, "stone": true},
  "time-stone": {"deck": "thanos", "number": 6, "copies": 1, "stone": true},
  "thanos": {"deck": "thanos", "number": 7, "copies": 1, "stone": false},
}
