// Ink and sign of each colour: a colour is never shown without its sign.

import type { SignName } from '../../ui/signs'
import type { Colour } from './view'

export const inkOf: Record<Colour, string> = {
  red: '#dc3d2e',
  orange: '#f0872a',
  yellow: '#f6cb37',
  green: '#4aa352',
  blue: '#3576c9',
  purple: '#8353ae',
  pink: '#f193b8',
}

export const signOf: Record<Colour, SignName> = {
  red: 'circle',
  orange: 'triangle',
  yellow: 'sun',
  green: 'leaf',
  blue: 'wave',
  purple: 'diamond',
  pink: 'heart',
}
