// node compress.mjs FOLDER SUFFIX...: every file with one of these suffixes, compressed beside it with gzip and brotli.
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'

const [folder, ...suffixes] = process.argv.slice(2)
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = zlib.constants
const total = { plain: 0, gz: 0, br: 0 }
for (const name of fs.readdirSync(folder).sort()) {
  if (!suffixes.includes(path.extname(name))) continue
  const file = path.join(folder, name)
  const content = fs.readFileSync(file)
  const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: content.length }
  const made = { gz: zlib.gzipSync(content, { level: 9 }), br: zlib.brotliCompressSync(content, { params }) }
  for (const [kind, bytes] of Object.entries(made)) {
    fs.writeFileSync(`${file}.${kind}`, bytes)
    total[kind] += bytes.length
  }
  total.plain += content.length
}
console.log(JSON.stringify(total))
