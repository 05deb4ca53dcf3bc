// QR codes for links.

import { correction, generate } from 'lean-qr'

/** The modules of the code, true for dark, row by row; null if the text is too long. */
export function qrCode(text: string): boolean[][] | null {
  try {
    const { size, get } = generate(text, { minCorrectionLevel: correction.M })
    return Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => get(x, y)))
  } catch {
    return null
  }
}
