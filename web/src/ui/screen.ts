// Layouts that components ask about, where styles alone are not enough.

import { MediaQuery } from 'svelte/reactivity'
import { LAYOUTS, mediaQuery } from './layouts'

export const desk = new MediaQuery(mediaQuery(LAYOUTS.desk), true)
export const laptop = new MediaQuery(mediaQuery(LAYOUTS.laptop), false)
export const phone = new MediaQuery(mediaQuery(LAYOUTS.phone), false)
export const short = new MediaQuery(mediaQuery(LAYOUTS.short), false)
export const beside = new MediaQuery(mediaQuery(LAYOUTS.beside), false)
