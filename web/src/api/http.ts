// The HTTP half of the protocol (docs/protocol.md). An error answer is thrown as an ApiError with the server's Problem.

import type {
  Accepted,
  AddBrowser,
  Notifications,
  Circle,
  CircleCard,
  DailyDeal,
  QuietHours,
  Announcement,
  Addresses,
  Device,
  Frames,
  Game,
  Me,
  Mistakes,
  MyTables,
  NewSeries,
  OpenTable,
  PlayNow,
  PlayOn,
  ShareReview,
  Position,
  Problem,
  Profile,
  PuzzleCard,
  RatedResult,
  ReturnLink,
  Review,
  RulesPage,
  Series,
  Solution,
  Table,
  TableCard,
  Tutorial,
  Vacations,
} from './protocol'

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.code)
  }
}

async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as Answer
  const problem = (await answer.json().catch(() => null)) as Problem | null
  throw new ApiError(
    answer.status,
    problem ?? { code: `http-${answer.status}`, key: 'problem.unknown', params: {}, rule: null },
  )
}

const at = (table: string, rest = '') => `/api/tables/${encodeURIComponent(table)}${rest}`

const inCircle = (circle: string, rest = '') => `/api/circles/${encodeURIComponent(circle)}${rest}`

export const api = {
  me: () => request<Me>('GET', '/api/me'),
  name: (name: string) => request<Me>('POST', '/api/me', { name }),
  /** An identity of this name, or the one that this browser has, under its own name. */
  anyIdentity: (name: string) => request<Me>('POST', '/api/me', { name, only_new: true }),
  deleteIdentity: () => request<void>('DELETE', '/api/me'),
  devices: () => request<Device[]>('GET', '/api/me/devices'),
  signOutEverywhere: () => request<void>('DELETE', '/api/me/devices'),
  signOutDevice: (id: string) => request<void>('DELETE', `/api/me/devices/${encodeURIComponent(id)}`),
  returnLink: () => request<ReturnLink>('POST', '/api/me/link'),
  signInWithCode: (code: string) => request<Me>('POST', '/api/me/return', { code }),
  myTables: () => request<MyTables>('GET', '/api/me/tables'),
  vacation: () => request<Vacations>('GET', '/api/me/vacation'),
  takeVacation: (days: number) => request<Vacations>('POST', '/api/me/vacation', { type: 'vacation', days }),
  announcement: () => request<Announcement>('GET', '/api/announcement'),
  notifications: () => request<Notifications>('GET', '/api/me/notifications'),
  addBrowser: (browser: AddBrowser) => request<Notifications>('POST', '/api/me/notifications', browser),
  setQuietHours: (hours: QuietHours) => request<Notifications>('POST', '/api/me/notifications/quiet', hours),
  stopNotifications: () => request<void>('DELETE', '/api/me/notifications'),
  addresses: () => request<Addresses>('GET', '/api/addresses'),
  games: () => request<Game[]>('GET', '/api/games'),
  publicTables: () => request<TableCard[]>('GET', '/api/tables'),
  open: (wanted: OpenTable) => request<Table>('POST', '/api/tables', wanted),
  playNow: (wanted: PlayNow) => request<Table>('POST', '/api/play-now', wanted),
  table: (table: string) => request<Table>('GET', at(table)),
  command: (table: string, command: object) => request<Accepted>('POST', at(table, '/commands'), command),
  recordAddress: (table: string) => at(table, '/record'),
  frames: (table: string, perspective: string, variation: string | null = null, first = 0) =>
    request<Frames>(
      'GET',
      at(
        table,
        `/frames?perspective=${encodeURIComponent(perspective)}${variation ? `&variation=${encodeURIComponent(variation)}&first=${first}` : ''}`,
      ),
    ),
  rating: (table: string) => request<RatedResult>('GET', at(table, '/rating')),
  profile: () => request<Profile>('GET', '/api/me/profile'),
  circles: () => request<CircleCard[]>('GET', '/api/me/circles'),
  makeCircle: (name: string) => request<Circle>('POST', '/api/circles', { name }),
  circle: (id: string) => request<Circle>('GET', inCircle(id)),
  joinCircle: (id: string) => request<Circle>('POST', inCircle(id, '/join')),
  removeMember: (id: string, member: string) => request<void>('DELETE', inCircle(id, `/members/${member}`)),
  series: (circle: string) => request<Series[]>('GET', inCircle(circle, '/series')),
  makeSeries: (circle: string, wanted: NewSeries) => request<Series>('POST', inCircle(circle, '/series'), wanted),
  playSeries: (circle: string, series: string, number: number) =>
    request<Table>('POST', inCircle(circle, `/series/${encodeURIComponent(series)}/${number}`)),
  daily: () => request<DailyDeal[]>('GET', '/api/daily'),
  playDaily: (game: string) => request<Table>('POST', `/api/daily/${encodeURIComponent(game)}`),
  puzzles: (game: string) => request<PuzzleCard[]>('GET', `/api/puzzles/${encodeURIComponent(game)}`),
  puzzle: (game: string, id: string) =>
    request<Position>('GET', `/api/puzzles/${encodeURIComponent(game)}/${encodeURIComponent(id)}`),
  tryPuzzle: (game: string, id: string, action: string) =>
    request<Solution>('POST', `/api/puzzles/${encodeURIComponent(game)}/${encodeURIComponent(id)}`, { action }),
  mistakes: () => request<Mistakes>('GET', '/api/me/mistakes'),
  mistake: (id: string) => request<Position>('GET', `/api/me/mistakes/${encodeURIComponent(id)}`),
  tryMistake: (id: string, action: string) =>
    request<Solution>('POST', `/api/me/mistakes/${encodeURIComponent(id)}`, { action }),
  dropMistake: (id: string) => request<void>('DELETE', `/api/me/mistakes/${encodeURIComponent(id)}`),
  forgetPractice: () => request<void>('DELETE', '/api/me/practice'),
  review: (table: string, seat: number) => request<Review>('GET', at(table, `/review?seat=${seat}`)),
  shareReview: (table: string, shared: boolean) => request<ShareReview>('POST', at(table, '/review'), { shared }),
  playOn: (table: string, wanted: PlayOn) => request<Table>('POST', at(table, '/play-on'), wanted),
  tutorial: (game: string) => request<Tutorial>('GET', `/api/tutorials/${encodeURIComponent(game)}`),
  rules: (game: string, language: string) =>
    request<RulesPage>('GET', `/api/rules/${encodeURIComponent(game)}/${language}`),
}
