// The journals of local tables in IndexedDB. A promise is kept when the transaction is complete: what a table has
// acknowledged is on the disk.

const NAME = 'tavolino'
const VERSION = 2
const STORES = ['entries', 'rows', 'reviews']
const STRICT = { durability: 'strict' }

/** The `keeper` of local/log.py: texts in, promises of texts out. */
export async function openJournal(factory = indexedDB) {
  const database = await new Promise((done, failed) => {
    const request = factory.open(NAME, VERSION)
    request.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion < 1) {
        request.result.createObjectStore('entries', { keyPath: ['table', 'number'] })
        request.result.createObjectStore('rows', { keyPath: 'table' })
      }
      if (oldVersion < 2) request.result.createObjectStore('reviews', { keyPath: ['table', 'seat'] })
    }
    request.onsuccess = () => done(request.result)
    request.onerror = () => failed(request.error)
    request.onblocked = () => failed(new Error('another tab holds an older database'))
  })
  /** Runs in one transaction, and waits until it is complete. */
  const within = (mode, work) =>
    new Promise((done, failed) => {
      const transaction = database.transaction(STORES, mode, STRICT)
      const request = work(...STORES.map((store) => transaction.objectStore(store)))
      transaction.oncomplete = () => done(request?.result)
      transaction.onabort = () => failed(transaction.error ?? new Error('the browser has refused to store it'))
    })
  /** All that is kept of a table under numbers. */
  const allOf = (table) => IDBKeyRange.bound([table, 0], [table, Infinity])

  return {
    async keep(text) {
      try {
        await within('readwrite', (entries, rows) => {
          for (const { table, number, entries: added, row } of JSON.parse(text)) {
            // `add` refuses a number that is there already: another tab has written it.
            added.forEach((entry, nth) => entries.add({ table, number: number + nth, entry }))
            rows.put({ table, row: JSON.stringify(row) })
          }
        })
      } catch (problem) {
        if (problem?.name === 'QuotaExceededError') return 'full'
        if (problem?.name === 'ConstraintError') return 'taken'
        throw problem
      }
      return null
    },
    async entries(table) {
      const found = await within('readonly', (entries) => entries.getAll(allOf(table)))
      return JSON.stringify(found.map(({ entry }) => entry))
    },
    async rows() {
      const found = await within('readonly', (_, rows) => rows.getAll())
      return JSON.stringify(found.map(({ row }) => row))
    },
    async remove(table) {
      await within('readwrite', (entries, rows, reviews) => {
        entries.delete(allOf(table))
        rows.delete(table)
        reviews.delete(allOf(table))
      })
    },
    async keepReview(table, seat, version, review) {
      await within('readwrite', (entries, rows, reviews) => reviews.put({ table, seat, version, review }))
    },
    /** Empty if there is none of this version. */
    async review(table, seat, version) {
      const found = await within('readonly', (entries, rows, reviews) => reviews.get([table, seat]))
      return found?.version === version ? found.review : ''
    },
  }
}
