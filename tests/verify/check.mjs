// node check.mjs PACK FILES: checks files with the offline pack. FILES is JSON, a list of [base64, commitment, salt,
// language]; prints what was said of each, one line of JSON each.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder, files] = process.argv.slice(2)
const pack = path.resolve(folder)
const load = (name) => import(pathToFileURL(path.join(pack, name)))
const { openChecker } = await load('checking.mjs')
const { loadPyodide } = await load('pyodide.mjs')

const checker = await openChecker({
  loadPyodide,
  options: { indexURL: `${pack}/`, stdLibURL: path.join(pack, 'python.zip') },
  read: async (name) => new Uint8Array(fs.readFileSync(path.join(pack, name))),
})
for (const [content, commitment, salt, language] of JSON.parse(fs.readFileSync(files, 'utf8'))) {
  const bytes = Buffer.from(content, 'base64').subarray(0, checker.readBytes)
  console.log(checker.check(bytes, commitment, salt, language))
}
process.exit(0)
