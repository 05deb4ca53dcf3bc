// Ink and sign of each token: a colour is never shown without its sign.

import type { SignName } from '../../ui/signs'
import { colours } from './parts'
import type { Colour, Token } from './view'

export const inkOf: Record<Token, string> = {
  yellow: '#f2bf2b',
  blue: '#3579c6',
  red: '#d5402f',
  orange: '#ee8a2c',
  purple: '#8453ad',
  grey: '#98a1b0',
  green: '#35a06d',
}

export const signOf: Record<Token, SignName> = {
  yellow: 'ring',
  blue: 'cube',
  red: 'eye',
  orange: 'drop',
  purple: 'bolt',
  grey: 'shield',
  green: 'hourglass',
}

/** Whether bonuses and costs have this colour. */
export function isColour(token: Token): token is Colour {
  return (colours as readonly Token[]).includes(token)
}
