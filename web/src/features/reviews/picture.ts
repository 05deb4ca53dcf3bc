// A picture of a reviewed game to send to friends: drawn here, on a canvas, with the letters of the page. It names nobody.

import { chancesOf, MARKS, type GameReview } from './review'

export const WIDTH = 1200
export const HEIGHT = 630
const PAPER = '#fffaf0'
const CLOTH = '#ebdfc6'
const INK = '#1f2536'
const SOFT = '#4a5063'
const ACCENT = '#b7331c'
const MARGIN = 70

export interface Words {
  headline: string
  subtitle: string
  /** Under the curve: a name and a value each. */
  numbers: readonly { name: string; value: string }[]
}

/** The picture as a file. */
export async function drawPicture(review: GameReview, words: Words): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  const family = getComputedStyle(document.documentElement).getPropertyValue('--font') || 'sans-serif'
  const letters = (weight: number, size: number) => (context.font = `${weight} ${size}px ${family}`)

  context.fillStyle = CLOTH
  context.fillRect(0, 0, WIDTH, HEIGHT)
  context.fillStyle = PAPER
  context.strokeStyle = INK
  context.lineWidth = 6
  context.beginPath()
  context.roundRect(28, 28, WIDTH - 56, HEIGHT - 56, 34)
  context.fill()
  context.stroke()

  context.fillStyle = INK
  letters(800, 58)
  context.fillText(words.headline, MARGIN, 122, WIDTH - 2 * MARGIN)
  context.fillStyle = SOFT
  letters(600, 32)
  context.fillText(words.subtitle, MARGIN, 172, WIDTH - 2 * MARGIN)

  drawCurve(context, review, { left: MARGIN, top: 206, width: WIDTH - 2 * MARGIN, height: 210 })

  const column = (WIDTH - 2 * MARGIN) / words.numbers.length
  words.numbers.forEach(({ name, value }, n) => {
    context.fillStyle = INK
    letters(800, 60)
    context.fillText(value, MARGIN + n * column, 504, column - 16)
    context.fillStyle = SOFT
    letters(600, 28)
    context.fillText(name, MARGIN + n * column, 544, column - 16)
  })
  context.fillStyle = ACCENT
  letters(800, 34)
  context.textAlign = 'right'
  context.fillText('Tavolino', WIDTH - MARGIN, 552)

  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('no picture'))), 'image/png'),
  )
}

interface Box {
  left: number
  top: number
  width: number
  height: number
}

function drawCurve(context: CanvasRenderingContext2D, review: GameReview, box: Box): void {
  const chances = chancesOf(review)
  const x = (n: number) => box.left + (box.width * n) / Math.max(1, chances.length - 1)
  const y = (chance: number) => box.top + box.height * (1 - chance)
  context.beginPath()
  chances.forEach((chance, n) => context.lineTo(x(n), y(chance)))
  context.lineTo(x(chances.length - 1), y(0))
  context.lineTo(x(0), y(0))
  context.fillStyle = CLOTH
  context.fill()
  context.setLineDash([8, 10])
  context.lineWidth = 3
  context.strokeStyle = '#b9a57c'
  context.beginPath()
  context.moveTo(box.left, y(0.5))
  context.lineTo(box.left + box.width, y(0.5))
  context.stroke()
  context.setLineDash([])
  context.beginPath()
  chances.forEach((chance, n) => context.lineTo(x(n), y(chance)))
  context.lineWidth = 6
  context.lineJoin = 'round'
  context.strokeStyle = INK
  context.stroke()
  for (const { turn, label } of review.decisions) {
    const mark = MARKS[label]
    if (!mark || !review.moments.includes(turn)) continue
    const [left, top] = [x(turn - 1), y(chances[turn - 1] ?? 0)]
    context.beginPath()
    context.arc(left, top, 22, 0, 2 * Math.PI)
    context.fillStyle = label === 'blunder' ? INK : PAPER
    context.fill()
    context.lineWidth = 4
    context.stroke()
    context.fillStyle = label === 'blunder' ? PAPER : INK
    context.font = context.font.replace(/^\d+ \d+px/, '800 26px')
    context.textAlign = 'center'
    context.fillText(mark, left, top + 9)
    context.textAlign = 'left'
  }
}
