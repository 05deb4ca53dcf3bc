// Removes addresses (funding pages, tarballs) from package-lock.json: run it after every `npm install`.
import { readFileSync, writeFileSync } from 'node:fs'

const path = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(path, 'utf8'))
for (const entry of Object.values(lock.packages)) {
  delete entry.funding
  delete entry.resolved
}
for (const [name, entry] of Object.entries(lock.packages)) {
  if (typeof entry.deprecated === 'string' && entry.deprecated.includes('://'))
    lock.packages[name].deprecated = 'deprecated'
}
writeFileSync(path, JSON.stringify(lock, null, 2) + '\n')
