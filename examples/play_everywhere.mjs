// Plays at all tables of one identity, by one stream of events: a start for a program that stays online.
//
//     node examples/play_everywhere.mjs http://127.0.0.1:8000 TOKEN_FILE [TABLE ...]
//
// It joins the tables that are named (the last part of their links) and those to which it is invited, and always
// chooses the first legal action. `tournament/ID`, the end of a tournament's link, enters that. Its token is kept in
// the file: started again, it is the same player. It ends when all tables that were named have ended; without any, or
// with a tournament, it goes on for ever. It survives restarts of the server and of proxies. Needs nothing but Node 20.
// The protocol is told in docs/protocol.md.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const COME_BACK = [429, 502, 503, 504] // too fast; or a server or its proxy that cannot answer now
const PAUSE = 1_000
const SILENCE = 40_000 // a stream has a heartbeat every 15 seconds

const [server, tokenFile, ...tables] = process.argv.slice(2)
let token = existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8').trim() : ''

const pause = () => new Promise((done) => setTimeout(done, PAUSE))

/** An answer of the server, however long it takes; refusals other than those of a moment are final. */
async function open(method, path, body, more = {}, signal = undefined) {
  for (;;) {
    const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }), ...more }
    let answer
    try {
      answer = await fetch(server + path, { method, headers, body: body && JSON.stringify(body), signal })
    } catch (error) {
      if (signal?.aborted) throw error
    }
    if (answer && !COME_BACK.includes(answer.status)) return answer
    await pause()
  }
}

async function call(method, path, body) {
  for (;;) {
    const answer = await open(method, path, body)
    try {
      const content = await answer.json()
      return answer.ok ? content : { refused: content.code }
    } catch {
      await pause() // the connection broke in the middle of the answer
    }
  }
}

const command = (table, fields) => call('POST', `/api/tables/${table}/commands`, fields)

/** All events, one stream after the other. An event may come twice: that is harmless. */
async function* events() {
  let last = ''
  for (;;) {
    const silent = new AbortController()
    let timer = setTimeout(() => silent.abort(), SILENCE)
    try {
      const stream = await open('GET', '/api/me/events', undefined, last ? { 'Last-Event-ID': last } : {}, silent.signal)
      if (!stream.ok) throw new Error((await stream.json()).code, { cause: 'final' })
      let text = ''
      for await (const chunk of stream.body.pipeThrough(new TextDecoderStream())) {
        clearTimeout(timer)
        timer = setTimeout(() => silent.abort(), SILENCE)
        const lines = (text + chunk).split('\n')
        text = lines.pop()
        for (const line of lines) {
          if (line.startsWith('id: ')) last = line.slice(4)
          else if (line.startsWith('data: ')) yield JSON.parse(line.slice(6))
        }
      }
    } catch (error) {
      if (error.cause === 'final') throw error // else the connection broke; an event that was cut off comes again
    } finally {
      clearTimeout(timer)
      silent.abort()
    }
    await pause()
  }
}

/** Sit down, or find that we sit there already; our salt makes the deal fair. A tournament opens its tables itself. */
async function join(table) {
  if (table.startsWith('tournament/')) {
    await call('POST', `/api/tournaments/${table.slice('tournament/'.length)}/enter`)
    return
  }
  await command(table, { type: 'join' })
  await command(table, { type: 'salt', salt: randomBytes(32).toString('hex') })
}

async function decide(table) {
  const shown = await call('GET', `/api/tables/${table}/play`)
  // A refusal as `stale-move` means that this was decided already: the event came twice.
  if (shown.view?.legal.length) await command(table, { type: 'move', turn: shown.turn, action: choose(shown.view) })
}

/** Your idea goes here: `view` is all that this seat may know. */
const choose = (view) => view.legal[0]

if (!token) {
  token = (await call('POST', '/api/me', { name: 'First-legal', program: true })).token
  writeFileSync(tokenFile, token, { mode: 0o600 })
}
for (const table of tables) await join(table)
const ended = new Set()
for await (const event of events()) {
  if (event.type === 'invitation') await join(event.table)
  else if (event.type === 'turn') await decide(event.table)
  else if (event.type === 'end') {
    console.log(event.table, JSON.stringify(event.ending))
    ended.add(event.table)
  }
  if (tables.length && tables.every((table) => ended.has(table))) break
}
