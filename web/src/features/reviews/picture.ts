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
const COVER = { left: MARGIN, top: 66, width: 256, height: 192 }
const BOARD = { left: MARGIN, top: 286, width: 520, height: 220 }
const CURVE = { left: 640, top: 296, width: WIDTH - MARGIN - 640, height: 200 }

export interface Words {
  headline: string
  subtitle: string
  /** The best moment, if there is one, and how it was decided. */
  best: string
  decided: string
}

/** What the game itself gives to the picture. */
export interface Art {
  /** The address of its cover. */
  cover: string | undefined
  /** The board that won, laid out in the document; its drawings are taken, not its words. */
  board: HTMLElement | null
}

/** The picture as a file. */
export async function drawPicture(review: GameReview, words: Words, { cover, board }: Art): Promise<Blob> {
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

  const left = MARGIN + COVER.width + 36
  const width = WIDTH - MARGIN - left
  // Without them there is a picture all the same.
  if (cover) await drawCover(context, cover).catch(() => undefined)
  if (board) await drawBoard(context, board, BOARD).catch(() => undefined)

  context.fillStyle = INK
  letters(800, 62)
  context.fillText(words.headline, left, 128, width)
  context.fillStyle = SOFT
  letters(600, 34)
  context.fillText(words.subtitle, left, 180, width)
  context.fillStyle = ACCENT
  letters(750, 32)
  context.fillText(words.best, left, 236, width)

  letters(600, 26)
  drawCurve(context, review, board ? CURVE : { ...CURVE, left: MARGIN, width: WIDTH - 2 * MARGIN })
  context.fillStyle = SOFT
  letters(600, 28)
  context.fillText(words.decided, MARGIN, 556, WIDTH - 2 * MARGIN - 190)
  context.fillStyle = ACCENT
  letters(800, 34)
  context.textAlign = 'right'
  context.fillText('Tavolino', WIDTH - MARGIN, 556)

  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('no picture'))), 'image/png'),
  )
}

async function imageOf(address: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = address
  await image.decode()
  return image
}

async function drawCover(context: CanvasRenderingContext2D, address: string): Promise<void> {
  const image = await imageOf(address)
  const { left, top, width, height } = COVER
  context.save()
  context.beginPath()
  context.roundRect(left, top, width, height, 18)
  context.clip()
  context.drawImage(image, left, top, width, height)
  context.restore()
  context.lineWidth = 5
  context.stroke()
}

/** The drawings of a laid out element, in the same places, as large as the box allows. */
async function drawBoard(context: CanvasRenderingContext2D, board: HTMLElement, box: Box): Promise<void> {
  const drawings = [...board.querySelectorAll('svg')].filter((svg) => !svg.parentElement?.closest('svg'))
  const places = drawings.map((svg) => svg.getBoundingClientRect())
  const [left, top] = [Math.min(...places.map((place) => place.left)), Math.min(...places.map((place) => place.top))]
  const width = Math.max(...places.map((place) => place.right)) - left
  const height = Math.max(...places.map((place) => place.bottom)) - top
  const scale = Math.min(box.width / width, box.height / height)
  const images = await Promise.all(drawings.map((svg, n) => imageOf(addressOf(svg, places[n]!))))
  const [x, y] = [box.left + (box.width - width * scale) / 2, box.top + (box.height - height * scale) / 2]
  images.forEach((image, n) => {
    const place = places[n]!
    context.drawImage(
      image,
      x + (place.left - left) * scale,
      y + (place.top - top) * scale,
      place.width * scale,
      place.height * scale,
    )
  })
}

/** A drawing by itself, with the values of the page's colours. */
function addressOf(svg: SVGElement, { width, height }: DOMRect): string {
  const alone = svg.cloneNode(true) as SVGElement
  const text = alone.outerHTML
  const style = getComputedStyle(svg)
  const colours = new Set([...text.matchAll(/var\((--[\w-]+)/g)].map((match) => match[1]!))
  for (const name of colours) alone.style.setProperty(name, style.getPropertyValue(name))
  alone.style.setProperty('font', '800 16px sans-serif')
  alone.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  alone.setAttribute('width', String(3 * width))
  alone.setAttribute('height', String(3 * height))
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(alone))}`
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
